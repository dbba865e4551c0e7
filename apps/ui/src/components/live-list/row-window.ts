// Which rows of a long list are in view. All are equally high, so a queue of any length costs nothing but the rows in view.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useFlight } from "./flight.ts";
import type { View } from "./held-rows.ts";

/** Rows further out than this are drawn before they come into view. */
const overscan = 10;
/** So many rows pass before others are drawn. */
const quantum = 4;

/** The rows in view of a list whose upper edge stands at `topPx` of a window, `coverPx` of which is covered from above. */
export const rowsInWindow = (topPx: number, windowPx: number, coverPx: number, rowPx: number, count: number): View => {
  const bound = (index: number) => Math.max(0, Math.min(index, count - 1));
  return {
    // A row counts by its middle.
    first: bound(Math.floor((coverPx - topPx) / rowPx + 0.5)),
    last: bound(Math.ceil((windowPx - topPx) / rowPx) - 1),
  };
};

/** So much further in a flight, where what is drawn is one empty part and not its rows. */
const flightFactor = 10;

const drawnFor = ({ first, last }: View, isFlying: boolean): View => {
  const step = isFlying ? quantum * flightFactor : quantum;
  const reach = isFlying ? overscan * flightFactor : overscan;
  return {
    first: Math.max(0, Math.floor((first - reach) / step) * step),
    last: Math.ceil((last + reach) / step) * step,
  };
};

export interface RowWindow {
  /** The rows pass too quickly to be read: `drawn` need not show more than that there are some. */
  isFlying: boolean;
  /** The rows to draw. */
  drawn: View;
  /** The rows in view at this moment. */
  view: () => View;
}

interface RowWindowOptions {
  count: number;
  rowPx: number;
  /** What stands over the top of the window. */
  coverPx: number;
}

export const useRowWindow = (list: RefObject<HTMLElement | null>, options: RowWindowOptions): RowWindow => {
  const { count, rowPx, coverPx } = options;
  const [drawn, setDrawn] = useState<View>(() => drawnFor(rowsInWindow(0, window.innerHeight, 0, rowPx, count), false));
  const isFlying = useFlight();
  const look = useRef<() => View>(() => ({ first: 0, last: 0 }));
  look.current = () =>
    rowsInWindow(list.current?.getBoundingClientRect().top ?? 0, window.innerHeight, coverPx, rowPx, count);

  const draw = useCallback(() => {
    const next = drawnFor(look.current(), isFlying);
    setDrawn((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, [isFlying]);
  useEffect(() => {
    const listening = new AbortController();
    window.addEventListener("scroll", draw, { passive: true, signal: listening.signal });
    window.addEventListener("resize", draw, { signal: listening.signal });
    return () => listening.abort();
  }, [draw]);
  // The list may have moved, or have become longer, with what has just been drawn.
  useLayoutEffect(draw);
  const view = useCallback(() => look.current(), []);
  return {
    isFlying,
    drawn: { first: Math.min(drawn.first, Math.max(0, count - 1)), last: Math.min(drawn.last, count - 1) },
    view,
  };
};
