// Takes the next task: asks, and keeps asking until there is one or the person has waited enough.
import { type AgentTypeSummary, type Handoff, ProblemError } from "@task-service/contract";
import { useEffect, useRef, useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { SignedOutError } from "../../lib/signed-out-error.ts";
import { leaseSeconds } from "./web-executor.ts";

export interface TaskFilter {
  organization: string;
  agentTypes: readonly AgentTypeSummary[];
}

export interface TaskTaking {
  isWaiting: boolean;
  /** The last try failed on the way; another one follows. */
  isTroubled: boolean;
  /** Why it ended without a task. */
  error: Error | null;
  take: (filter: TaskFilter) => void;
  cancel: () => void;
}

const waitSeconds = 30;
const retryMs = 3_000;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, retryMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

const isFinal = (error: unknown): boolean =>
  error instanceof SignedOutError ||
  (error instanceof ProblemError &&
    error.status < 500 &&
    error.code !== "rate_limited" &&
    error.code !== "claim_key_spent");

export const useTaskTaking = (executor: string, onTaken: (handoff: Handoff) => void): TaskTaking => {
  const client = useClient();
  const [isWaiting, setIsWaiting] = useState(false);
  const [isTroubled, setIsTroubled] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const waiting = useRef<AbortController>(undefined);

  const cancel = () => {
    waiting.current?.abort();
    setIsWaiting(false);
    setIsTroubled(false);
  };

  // Whoever leaves the page no longer waits.
  useEffect(() => () => waiting.current?.abort(), []);

  const run = async ({ organization, agentTypes }: TaskFilter, { signal }: AbortController): Promise<void> => {
    let claim_key: string = crypto.randomUUID();
    while (!signal.aborted) {
      try {
        const handoff = await client.takeNextTask({
          query: {
            executor,
            claim_key,
            wait_seconds: waitSeconds,
            lease_seconds: leaseSeconds,
            ...(organization && { organization }),
            ...(agentTypes.length > 0 && { agent_type: agentTypes.map(({ id }) => id) }),
          },
          signal,
        });
        if (signal.aborted) return;
        setIsTroubled(false);
        if (handoff) {
          setIsWaiting(false);
          return onTaken(handoff);
        }
      } catch (failure) {
        if (signal.aborted) return;
        if (isFinal(failure)) {
          setIsWaiting(false);
          return setError(failure as Error);
        }
        // With the same key: if the answer was lost, the same task comes again.
        if (failure instanceof ProblemError && failure.code === "claim_key_spent") claim_key = crypto.randomUUID();
        setIsTroubled(true);
        await pause(signal);
      }
    }
  };

  const take = (filter: TaskFilter) => {
    waiting.current?.abort();
    waiting.current = new AbortController();
    setError(null);
    setIsWaiting(true);
    void run(filter, waiting.current);
  };

  return { isWaiting, isTroubled, error, take, cancel };
};
