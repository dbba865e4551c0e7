// Taking the next task under a claim key, so that an answer lost on the way costs nothing (D-22).
import { randomUUID } from "node:crypto";
import { type Client, type Handoff, type NextQuery, ProblemError } from "@task-service/contract";
import type { Pacing } from "./pacing.ts";

/**
 * A function that takes the next task, waiting for one at the service, or null when none came. Every hand-over has a key of its own. While its
 * outcome is unknown (no answer, a time-out, 5xx) the key is repeated, and the service answers the same dispatch again.
 * Rejects as the client does, also when `stopped` aborts: then the service takes back what it was about to hand over.
 */
export const createTaskClaim = (
  client: Pick<Client, "takeNextTask">,
  query: Omit<NextQuery, "claim_key" | "wait_seconds">,
  { waitSeconds, requestTimeoutMs }: Pacing,
  stopped: AbortSignal,
): (() => Promise<Handoff | null>) => {
  let claimKey = randomUUID();

  return async () => {
    try {
      const timeout = AbortSignal.timeout(waitSeconds * 1000 + requestTimeoutMs);
      const handoff = await client.takeNextTask({
        query: { ...query, wait_seconds: waitSeconds, claim_key: claimKey },
        signal: AbortSignal.any([timeout, stopped]),
      });
      claimKey = randomUUID();
      return handoff;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === "claim_key_spent")) throw error;
      claimKey = randomUUID();
      return null;
    }
  };
};
