// A list that flies past is told from one that is read, and from one that jumped.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { landedMs, useFlight } from "./flight.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const setUp = () => {
  const scrolled = vi.spyOn(window, "scrollY", "get").mockReturnValue(0);
  const { result } = renderHook(() => useFlight());
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  const scroll = (windows: number, ms: number) => {
    pass(ms);
    act(() => {
      scrolled.mockReturnValue(window.scrollY + windows * window.innerHeight);
      window.dispatchEvent(new Event("scroll"));
    });
  };
  return { isFlying: () => result.current, pass, scroll };
};

test("a jump is no flight, nor is a turn of the wheel now and then", () => {
  const { isFlying, scroll } = setUp();
  scroll(5_000, 1_000);
  for (let n = 0; n < 20; n++) scroll(0.25, 17);
  scroll(-4_000, landedMs);
  expect(isFlying()).toBe(false);
});

test("windows that pass one after the other are, until shortly after the last of them", () => {
  const { isFlying, pass, scroll } = setUp();
  scroll(2, 1_000);
  scroll(2, 17);
  expect(isFlying()).toBe(true);
  pass(landedMs - 1);
  scroll(10, 0);
  pass(landedMs - 1);
  expect(isFlying()).toBe(true);
  scroll(0.1, 0);
  pass(1);
  expect(isFlying()).toBe(false);
});
