// The queue of background work: width, what waits once, what is too much, and its end.
import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

const gate = () => Promise.withResolvers<void>();

test("runs as many as it may, each key once while it waits, and again if it was added during its run", async () => {
  const { promise: held, resolve: release } = gate();
  const done: string[] = [];
  let running = 0;
  let most = 0;
  const queue = createWorkQueue<string>({
    width: 2,
    maxWaiting: 10,
    work: async (item) => {
      most = Math.max(most, ++running);
      await held;
      running--;
      done.push(item);
    },
  });
  for (const key of ["a", "b", "c", "c", "d"]) queue.add(key, key);
  await Promise.resolve();
  queue.add("a", "a");
  release();
  await queue.idle();
  expect([done.toSorted().join(""), most]).toEqual(["aabcd", 2]);
  await queue.idle();
});

test("takes no more than may wait, and closed nothing", async () => {
  const { promise: held, resolve: release } = gate();
  const done: string[] = [];
  const queue = createWorkQueue<string>({
    width: 1,
    maxWaiting: 1,
    work: async (item) => {
      await held;
      done.push(item);
    },
  });
  expect(queue.add("a", "a")).toBe(true);
  await Promise.resolve();
  expect([queue.add("b", "b"), queue.add("b", "b"), queue.add("c", "c")]).toEqual([true, true, false]);
  const closed = queue.close();
  release();
  await closed;
  expect([queue.add("d", "d"), done]).toEqual([false, ["a"]]);
});
