// Telling the service something until it has heard, whatever becomes of it meanwhile (D-25, D-26).
import { ProblemError } from "@task-service/contract";
import { growing, jittered, type Pacing, pause } from "./pacing.ts";
import type { ServiceCondition } from "./service-condition.ts";

/** `over`: the dispatch had ended already. `refused`: no repetition makes it right. `unheard`: the executor stops first. */
export type Hearing = "heard" | "over" | "refused" | "unheard";

export interface Reporting {
  readonly condition: ServiceCondition;
  readonly pacing: Pacing;
  /** Aborts when the executor stops: then there is one more try, and the lease does the rest. */
  readonly stopped: AbortSignal;
}

const isOver = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === "stale_dispatch" || error.code === "not_found");

/** Tokens, membership and limits may change: those are tried again. */
const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && error.status < 500 && ![401, 403, 408, 429].includes(error.status);

/** `tell` makes a request that may be repeated and gives up when its signal aborts. Never rejects. */
export const tellService = async (
  tell: (signal: AbortSignal) => Promise<unknown>,
  { condition, pacing, stopped }: Reporting,
): Promise<Hearing> => {
  for (let failures = 1; ; failures++) {
    const isLastTry = stopped.aborted;
    try {
      await tell(AbortSignal.timeout(pacing.requestTimeoutMs));
      condition.reached();
      return "heard";
    } catch (error) {
      if (isOver(error)) {
        condition.reached();
        return "over";
      }
      condition.failed(error);
      if (isRefused(error)) return "refused";
      if (isLastTry) return "unheard";
      await pause(jittered(growing(pacing.retry, failures)), stopped);
    }
  }
};
