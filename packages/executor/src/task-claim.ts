// Taking the next task under a claim key, so that an answer lost on the way costs nothing (D-22).
import { randomUUID } from "node:crypto";
import { type Client, type Handoff, type NextQuery, ProblemError } from "@task-service/contract";

/**
 * A function that takes the next task, or null when there is none. Every hand-over has a key of its own. While its
 * outcome is unknown (no answer, a time-out, 5xx) the key is repeated, and the service answers the same dispatch again.
 * Rejects as the client does.
 */
export const createTaskClaim = (
  client: Pick<Client, "takeNextTask">,
  query: Omit<NextQuery, "claim_key">,
  requestTimeoutMs: number,
): (() => Promise<Handoff | null>) => {
  let claimKey = randomUUID();

  return async () => {
    try {
      const signal = AbortSignal.timeout(requestTimeoutMs);
      const handoff = await client.takeNextTask({ query: { ...query, claim_key: claimKey }, signal });
      claimKey = randomUUID();
      return handoff;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === "claim_key_spent")) throw error;
      claimKey = randomUUID();
      return null;
    }
  };
};
