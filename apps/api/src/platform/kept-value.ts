// A value that is dear to read and may be a little old.

/**
 * Reads at most once in `forMs`, however many ask: who asks while it is read, or not long after, gets the same value.
 * A read that failed is not kept.
 */
export const keepFor = <T>(
  forMs: number,
  read: () => Promise<T>,
  nowMs: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let kept: { value: Promise<T>; atMs: number } | undefined;
  return () => {
    if (kept && nowMs() - kept.atMs < forMs) return kept.value;
    const reading = { value: read(), atMs: nowMs() };
    kept = reading;
    reading.value.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading.value;
  };
};
