// Waking up is heard of once, however many ways a browser has to tell of it.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakePage } from "../testing/fake-tabs.ts";
import { whenWoken } from "./page-signals.ts";

const ending = { now: new AbortController() };
beforeEach(() => {
  vi.useFakeTimers();
  ending.now = new AbortController();
});
afterEach(() => {
  ending.now.abort();
  vi.useRealTimers();
});

const setUp = () => {
  const onWake = vi.fn();
  whenWoken(createFakePage(), onWake, ending.now.signal);
  /** The clock goes on, and no timer does. */
  const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);
  return { onWake, sleep, tick: () => vi.advanceTimersByTime(1_000) };
};

test("a sleep that the network tells of first is not found again by the next tick", () => {
  const { onWake, sleep, tick } = setUp();
  sleep(60_000);
  window.dispatchEvent(new Event("online"));
  tick();
  expect(onWake).toHaveBeenCalledOnce();
});

test("a sleep that a tick finds first is not told again by the network, and the next sleep is told", () => {
  const { onWake, sleep, tick } = setUp();
  sleep(60_000);
  tick();
  window.dispatchEvent(new Event("online"));
  expect(onWake).toHaveBeenCalledOnce();
  sleep(60_000);
  tick();
  expect(onWake).toHaveBeenCalledTimes(2);
});
