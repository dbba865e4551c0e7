// Rows that become lower leave the reader where they were.
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setDensity } from "../../lib/density.ts";
import { useRowHeight } from "./row-height.ts";

afterEach(() => {
  setDensity("comfortable");
  vi.restoreAllMocks();
});

test("the first row in view stays the first when the rows change their height", () => {
  const scrollBy = vi.spyOn(window, "scrollBy").mockReturnValue();
  const element = document.createElement("ol");
  const topPx = 44 - 100 * 44;
  element.getBoundingClientRect = () => new DOMRect(0, topPx, 1_000, 0);
  const list = { current: element };
  const { result } = renderHook(() => useRowHeight(list, 44));
  expect(result.current).toEqual({ rowPx: 44, isMeasured: true });
  act(() => void window.dispatchEvent(new Event("scroll")));
  act(() => setDensity("compact"));
  expect(result.current.rowPx).toBe(36);
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, topPx + 100 * 36 - 44);
});
