// Waits that grow, and waits that differ.
import { expect, test } from "vitest";
import { defaultPacing, growing, jittered, pause } from "./pacing.ts";

test("waits double up to the longest", () => {
  const { rest, retry } = defaultPacing;
  expect([1, 2, 3, 6, 7, 8, 2_000].map((failures) => growing(rest, failures))).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
  ]);
  expect(growing(retry, 1_000)).toBe(10_000);
});

test("jitter is a quarter either way", () => {
  expect([0, 0.5, 1].map((random) => jittered(1_000, () => random))).toEqual([750, 1_000, 1_250]);
});

test("a pause ends early when its signal aborts", async () => {
  const stop = new AbortController();
  const paused = pause(600_000, stop.signal);
  stop.abort();
  await paused;
  await pause(600_000, stop.signal);
});
