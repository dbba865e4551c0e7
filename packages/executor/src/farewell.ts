// The end of an executor: how long, after its last run, it goes on telling a service that does not answer.
import type { RunTask } from "./dispatch-work.ts";

export interface Farewell {
  /** The same run, counted: while one is under way nothing is over. */
  watched(run: RunTask): RunTask;
  /** From now on `over` aborts when no run has been under way for `ms`; of several calls the shortest counts. */
  begin(ms: number): void;
  /** Aborts `over`. */
  end(): void;
}

/** `over` is what every request to the service and every pause ends with. */
export const createFarewell = (over: AbortController): Farewell => {
  let running = 0;
  let boundMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const end = (): void => {
    clearTimeout(timer);
    over.abort();
  };
  const look = (): void => {
    clearTimeout(timer);
    if (running === 0 && Number.isFinite(boundMs) && !over.signal.aborted) timer = setTimeout(end, boundMs);
  };

  return {
    watched: (run) => async (handoff, signal) => {
      running += 1;
      look();
      try {
        return await run(handoff, signal);
      } finally {
        running -= 1;
        look();
      }
    },
    begin: (ms) => {
      if (ms >= boundMs) return;
      boundMs = ms;
      look();
    },
    end,
  };
};
