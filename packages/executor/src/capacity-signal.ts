// One capacity signal after the other: sequence and claim key, so that an answer lost on the way costs nothing (D-19, D-22, D-23).
import { randomUUID } from "node:crypto";
import { type CapacityAnswer, type CapacitySignal, type Client, ProblemError } from "@task-service/contract";
import type { Pacing } from "./pacing.ts";

/** What differs from signal to signal. */
export type Standing = Required<Pick<CapacitySignal, "slots" | "holding" | "finished">>;

/** What is the same in all of them. */
export type SignalSettings = Pick<CapacitySignal, "executor" | "organization" | "agent_types" | "lease_seconds">;

/**
 * A function that signals, and resolves to the answer, or to null when the claim key was spent: then signal again. The
 * second spent key in a row is an error like any other: a fresh one cannot be spent, so the service is broken.
 * A key is repeated until an answer has brought dispatches; a signal that overtakes another therefore gets what that
 * one was given, and the same dispatch may come twice. Rejects as the client does, also when `over` aborts.
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

  return async (standing) => {
    sequence = Math.max(sequence + 1, Date.now());
    const key = claimKey;
    const renewKey = (): void => {
      if (claimKey === key) claimKey = randomUUID();
    };
    const wait_seconds = standing.slots > 0 ? waitSeconds : 0;
    const timeout = AbortSignal.timeout(wait_seconds * 1_000 + requestTimeoutMs);
    try {
      const answer = await client.signalCapacity({
        body: { ...settings, ...standing, wait_seconds, claim_key: key, sequence },
        signal: AbortSignal.any([timeout, over]),
      });
      wasSpent = false;
      if (answer.dispatches.length > 0) renewKey();
      return answer;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === "claim_key_spent")) throw error;
      renewKey();
      if (wasSpent) throw error;
      wasSpent = true;
      return null;
    }
  };
};
