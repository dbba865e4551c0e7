// Ctrl-C, SIGTERM and a closed terminal as a signal that work can look at, instead of a sudden end.

/** Under npm one Ctrl-C arrives twice within milliseconds. */
const sameWithinMs = 1_000;
/** As shells have it: 128 and the number of SIGINT. */
const interruptedCode = 130;

/**
 * Runs `work` with a signal that aborts on the first of them, for it to come to an end; who presses Ctrl-C once more, a
 * second or more later, ends the process.
 */
export const interruptible = async <T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> => {
  const stop = new AbortController();
  let firstAtMs: number | undefined;
  const onSignal = (): void => {
    firstAtMs ??= performance.now();
    if (performance.now() - firstAtMs >= sameWithinMs) process.exit(interruptedCode);
    stop.abort();
  };
  const onHangUp = (): void => stop.abort();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onHangUp);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onHangUp);
  }
};
