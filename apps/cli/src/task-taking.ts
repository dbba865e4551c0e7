// Takes one task from the queue so that an answer that is lost on its way loses nothing (D-20, D-22).
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Handoff, maxWaitSeconds, type NextQuery, ProblemError } from "@task-service/contract";
import { agentTypeIds } from "./agent-type-names.ts";
import { exitCodes } from "./exit-codes.ts";
import { reportOf } from "./failure-report.ts";
import { given } from "./option-values.ts";
import type { Session } from "./session.ts";

export interface TakingOptions {
  readonly executor?: string | undefined;
  readonly organization?: string | undefined;
  /** By name. */
  readonly agentType?: readonly string[] | undefined;
  /** How long to wait for one; may be `Infinity`. */
  readonly waitSeconds: number;
  readonly leaseSeconds?: number | undefined;
  readonly interrupted: AbortSignal;
}

const attempts = 4;
const pauseMs = 500;

/** The same claim key again as long as nobody said what came of it. */
const take = async ({ client }: Session, query: NextQuery, signal: AbortSignal): Promise<Handoff | null> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.takeNextTask({ query, signal });
    } catch (error) {
      if (signal.aborted || (error instanceof ProblemError && error.code === "claim_key_spent")) return null;
      const isPassing = reportOf(error)?.exitCode === exitCodes.outOfReach;
      if (!isPassing || attempt === attempts) throw error;
      await sleep(pauseMs * attempt, undefined, { signal }).catch(() => undefined);
    }
  }
};

/**
 * The next task for these filters, or null if none came in time, or before `interrupted`: the service takes back what it
 * handed to a caller who was gone. Rejects as the client does.
 */
export const takeTask = async (session: Session, options: TakingOptions): Promise<Handoff | null> => {
  const { executor, organization, leaseSeconds: lease_seconds, waitSeconds, interrupted } = options;
  const agentTypes = await agentTypeIds(session.client, options.agentType ?? [], organization);
  const filters = {
    ...given({ executor, organization, lease_seconds }),
    ...(agentTypes.length > 0 && { agent_type: agentTypes }),
  };
  const endsAtMs = Date.now() + waitSeconds * 1000;
  for (;;) {
    const leftSeconds = Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000));
    const wait_seconds = Math.min(leftSeconds, maxWaitSeconds);
    const handoff = await take(session, { ...filters, wait_seconds, claim_key: randomUUID() }, interrupted);
    if (handoff || interrupted.aborted || Date.now() >= endsAtMs) return handoff;
  }
};
