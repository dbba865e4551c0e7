// The same work for many things, some at a time.

/** Applies `work` to all items, at most `width` at a time, keeping their order. The first failure ends it. */
export const mapInParallel = async <T, R>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
};
