// Ctrl-C and SIGTERM as a signal that work can look at, instead of a sudden end.

/** Runs `work` with a signal that aborts on SIGINT and SIGTERM; while it runs neither ends the process. */
export const interruptible = async <T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> => {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
};
