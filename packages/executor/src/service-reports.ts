// Telling the service something until it has heard, whatever becomes of it meanwhile (D-25, D-26).
import { ProblemError } from "@task-service/contract";
import { growing, jittered, type Pacing, pause } from "./pacing.ts";
import type { ServiceCondition } from "./service-condition.ts";

/** `over`: the dispatch had ended already. `refused`: no repetition makes it right. `unheard`: the executor stops or ends first. */
export type Hearing = "heard" | "over" | "refused" | "unheard";

export interface Reporting {
  readonly condition: ServiceCondition;
  readonly pacing: Pacing;
  /** Aborts when the executor stops: then there is one more try, and the lease does the rest. */
  readonly stopped: AbortSignal;
  /** Aborts when the executor has ended: then nothing is tried any more. */
  readonly over: AbortSignal;
}

const isOver = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === "stale_dispatch" || error.code === "not_found");

/** Tokens, membership and limits may change: those are tried again. */
const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && error.status < 500 && ![401, 403, 408, 429].includes(error.status);

/** Rejects when `limit` aborts; so does `request`, unless it waits for something else first, for a token say. */
const within = (request: Promise<unknown>, limit: AbortSignal): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(limit.reason);
  limit.addEventListener("abort", end, { once: true });
  return Promise.race([request, promise]).finally(() => limit.removeEventListener("abort", end));
};

/** `tell` makes a request that may be repeated and gives up when its signal aborts. Never rejects. */
export const tellService = async (
  tell: (signal: AbortSignal) => Promise<unknown>,
  { condition, pacing, stopped, over }: Reporting,
): Promise<Hearing> => {
  for (let failures = 1; !over.aborted; failures++) {
    const isLastTry = stopped.aborted;
    const limit = AbortSignal.any([AbortSignal.timeout(pacing.requestTimeoutMs), over]);
    try {
      await within(tell(limit), limit);
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
      await pause(jittered(growing(pacing.retry, failures)), AbortSignal.any([stopped, over]));
    }
  }
  return "unheard";
};
