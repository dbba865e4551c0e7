// One capacity signal after the other: sequence and claim key, so that an answer lost on the way costs nothing (D-19, D-22, D-23).
import { randomUUID } from "node:crypto";
import {
  type CapacityAnswer,
  type CapacitySignal,
  type Client,
  type Handoff,
  type ProblemCode,
  ProblemError,
  UnexpectedAnswerError,
} from "@task-service/contract";
import { NameTakenError } from "./name-taken-error.ts";
import type { Pacing } from "./pacing.ts";

/** What differs from signal to signal. */
export type Standing = Required<Pick<CapacitySignal, "slots" | "holding" | "finished">>;

/** What is the same in all of them. */
export type SignalSettings = Pick<CapacitySignal, "executor" | "organization" | "agent_types" | "lease_seconds">;

/** Whether an executor can go by it: something else may answer at the address. */
const isCapacityAnswer = (answer: unknown): boolean => {
  const { dispatches, revoked } = (answer ?? {}) as { dispatches?: unknown; revoked?: unknown };
  return (
    Array.isArray(dispatches) &&
    Array.isArray(revoked) &&
    dispatches.every((one?: Partial<Handoff>) => one?.dispatch?.id && one.task?.id && one.agent_type)
  );
};

const isProblem = (error: unknown, code: ProblemCode): boolean => error instanceof ProblemError && error.code === code;

const takenMessage = (name: string): string =>
  `another process, on another machine perhaps, uses the name ${name} and has taken over: give each process a --name of its own`;

/** A proxy that repeats a request is refused as well, but hardly so often in a row. */
const maxRefusals = 3;

/**
 * A function that signals, and resolves to the answer, or to null when the claim key was spent: then signal again. The
 * second spent key in a row is an error like any other: a fresh one cannot be spent, so the service is broken.
 * A key is repeated until an answer has brought dispatches; a signal that overtakes another therefore gets what that
 * one was given, and the same dispatch may come twice. Rejects as the client does, also when `over` aborts.
 *
 * The sequence comes from the clock until the service has taken one, and then only counts. A later process of the name
 * therefore has a higher one for good, and the earlier learns of it: rejects with {@link NameTakenError}.
 */
export const createCapacitySignal = (
  client: Pick<Client, "signalCapacity">,
  settings: SignalSettings,
  { waitSeconds, requestTimeoutMs }: Pacing,
  over: AbortSignal,
): ((standing: Standing) => Promise<CapacityAnswer | null>) => {
  let claimKey = randomUUID();
  let sequence = 0;
  let wasSpent = false;
  let wasTaken = false;
  let refusals = 0;

  const taken = (): void => {
    wasTaken = true;
    refusals = 0;
  };

  /** Of a signal that another one of this process has followed nothing can be said. */
  const isRival = (error: unknown, own: number): boolean => {
    if (!wasTaken || own !== sequence || !isProblem(error, "stale_signal")) return false;
    refusals += 1;
    return refusals >= maxRefusals;
  };

  return async (standing) => {
    sequence = wasTaken ? sequence + 1 : Math.max(sequence + 1, Date.now());
    const own = sequence;
    const key = claimKey;
    const renewKey = (): void => {
      if (claimKey === key) claimKey = randomUUID();
    };
    const wait_seconds = standing.slots > 0 ? waitSeconds : 0;
    const timeout = AbortSignal.timeout(wait_seconds * 1_000 + requestTimeoutMs);
    try {
      const answer = await client.signalCapacity({
        body: { ...settings, ...standing, wait_seconds, claim_key: key, sequence: own },
        signal: AbortSignal.any([timeout, over]),
      });
      if (!isCapacityAnswer(answer)) throw new UnexpectedAnswerError(200, "the address of the capacity signals");
      taken();
      wasSpent = false;
      if (answer.dispatches.length > 0) renewKey();
      return answer;
    } catch (error) {
      if (isRival(error, own)) throw new NameTakenError(takenMessage(settings.executor));
      if (!isProblem(error, "claim_key_spent")) throw error;
      taken();
      renewKey();
      if (wasSpent) throw error;
      wasSpent = true;
      return null;
    }
  };
};
