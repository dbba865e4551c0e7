// Work that is asked for more often than it needs to be done.

/**
 * Runs `work` once at a time: asked for while it runs, it runs once more afterwards, for all who asked.
 * Each call resolves when a run that began after it has ended, and rejects as that run did.
 */
export const createSingleFlight = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
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
