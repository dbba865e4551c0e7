// The same work for many things: width, order, and its end at the first failure.
import { expect, test } from "vitest";
import { mapInParallel } from "./parallel.ts";

test("keeps the order, and does no more at a time than it may", async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapInParallel(3, [5, 1, 4, 2, 3], async (item) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running--;
    return item * 2;
  });
  expect([doubled, most]).toEqual([[10, 2, 8, 4, 6], 3]);
});

test("begins nothing more once one has failed", async () => {
  const begun: number[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const all = mapInParallel(2, [1, 2, 3, 4, 5], async (item) => {
    begun.push(item);
    if (item === 2) throw new Error("no");
    await held;
  });
  await expect(all).rejects.toThrow("no");
  release();
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
});
