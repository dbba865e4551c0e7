// Background work repeats until it is stopped, never overlaps, and outlives its failures.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "./logger.ts";
import { repeat } from "./repetition.ts";

const log = createLogger("silent");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("it runs every so often, first after one pause, until it is stopped", async () => {
  const work = vi.fn(async () => {});
  const stop = repeat("counting", 1000, log, work);
  await vi.advanceTimersByTimeAsync(999);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3001);
  expect(work).toHaveBeenCalledTimes(4);
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(4);
  expect(vi.getTimerCount()).toBe(0);
});

test("a run that takes long is not overtaken by the next", async () => {
  const run = Promise.withResolvers<void>();
  const work = vi.fn(() => run.promise);
  const stop = repeat("taking long", 1000, log, work);
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
  run.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  stop();
});

test.each<[string, () => Promise<void>]>([
  ["rejects", () => Promise.reject(new Error("no"))],
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
])("a run that %s is logged with its name, and the next one tried", async (_, fail) => {
  const warn = vi.spyOn(log, "warn");
  const work = vi.fn(fail);
  const stop = repeat("failing", 1000, log, work);
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenLastCalledWith({ err: expect.any(Error) }, "failing failed");
  warn.mockRestore();
  stop();
});

test("a run that never ends is given up, and the next one tried; should it end after all, nothing overlaps", async () => {
  const warn = vi.spyOn(log, "warn");
  const runs: PromiseWithResolvers<void>[] = [];
  const work = vi.fn(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const stop = repeat("hanging", 1000, log, work, 5000);
  await vi.advanceTimersByTimeAsync(5999);
  expect(work).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1001);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn.mock.lastCall).toMatchObject([{ err: { name: "DatabaseSilent" } }, "hanging failed"]);
  runs[0]?.reject(new Error("late"));
  await vi.advanceTimersByTimeAsync(3000);
  expect(work).toHaveBeenCalledTimes(2);
  warn.mockRestore();
  stop();
});

test("one that is not told otherwise is waited for a minute, or until the next one is due", async () => {
  const work = vi.fn(() => new Promise(() => {}));
  const stops = [repeat("often", 1000, log, work), repeat("hourly", 3_600_000, log, work)];
  await vi.advanceTimersByTimeAsync(60_999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1001);
  expect(work).toHaveBeenCalledTimes(2);
  for (const stop of stops) stop();
});
