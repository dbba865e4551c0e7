// Waiting that a signal ends.

/** Resolves to undefined once `signal` is aborted, and as `work` does otherwise, which is not stopped by it. */
export const unlessAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> => {
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};
