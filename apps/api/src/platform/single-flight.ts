// Work that is asked for more often than it needs to be done.

/**
 * Runs `work` once at a time: asked for while it runs, it runs once more afterwards, for all who asked.
 * Each call resolves or rejects as a run that began after it did.
 */
export const createSingleFlight = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    // First: between two runs none is running, but the next one is about to.
    if (next) return next;
    if (!running) return run();
    next = running.then(run, run);
    return next;
  };
};
