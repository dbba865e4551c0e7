// The same work for many things, some at a time.

/**
 * Applies `work` to all items, at most `width` at a time, keeping their order. The first failure rejects at once, and
 * nothing more begins; what is under way by then ends by itself.
 */
export const mapInParallel = async <T, R>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  const queue = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
};
