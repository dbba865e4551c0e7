// How often a query asks by itself: every two seconds without a live connection, ever less while nobody answers.
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "./query-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a service that is away is asked ever less often, and at the usual pace once it is back", async () => {
  const queries = createQueryClient({ onUnauthenticated: () => undefined, isLive: () => false });
  let isAway = false;
  const ask = vi.fn(async () => (isAway ? Promise.reject(new TypeError("fetch failed")) : "here"));
  const stop = new QueryObserver(queries, { queryKey: ["one"], queryFn: ask, retry: false }).subscribe(() => undefined);
  const timesIn = async (ms: number) => {
    ask.mockClear();
    await vi.advanceTimersByTimeAsync(ms);
    return ask.mock.calls.length;
  };
  await timesIn(0);
  expect(await timesIn(20_000)).toBe(10);
  isAway = true;
  await timesIn(120_000);
  expect(await timesIn(60_000)).toBe(4);
  isAway = false;
  await timesIn(16_000);
  expect(await timesIn(20_000)).toBe(10);
  stop();
});
