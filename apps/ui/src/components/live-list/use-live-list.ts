// A long list that changes while it is read: which rows to draw where, and what has happened to it meanwhile.
import { type RefObject, useMemo, useRef } from "react";
import type { RowSource } from "../row-selection.ts";
import { type Arrangement, rowAt, shownCount, type View } from "./held-rows.ts";
import { useReaderPresence } from "./reader-presence.ts";
import { useRowHeight } from "./row-height.ts";
import { useRowWindow } from "./row-window.ts";
import type { SparseRows } from "./sparse-rows.ts";
import { type HeldRows, useHeldRows } from "./use-held-rows.ts";

/** The bar that stays over the list while it scrolls. */
export const barPx = 44;
/** On a phone the way to the screens stands here. */
const footPx = 80;

export interface LiveList extends Omit<HeldRows, "shown"> {
  shown: Arrangement;
  count: number;
  rowPx: number;
  /** `rowPx` is that of the room there is. */
  isMeasured: boolean;
  drawn: View;
  /** As in `RowWindow`. */
  isFlying: boolean;
  view: () => View;
  rows: RowSource;
  /** Brings a row into view. */
  scrollTo: (index: number) => void;
  /** Makes it the first row in view. */
  bringToTop: (index: number) => void;
  list: RefObject<HTMLOListElement | null>;
}

interface LiveListOptions {
  live: SparseRows;
  /** Parts of it are being read. */
  isReading: boolean;
  /** What is used like a part of the list: nothing moves while the pointer is over it. */
  area: RefObject<HTMLElement | null>;
}

const rowSourceOf = (shown: Arrangement): RowSource => {
  let places: Map<string, number> | undefined;
  const { from, to, held, live } = shown;
  const placesOf = () => {
    places = new Map(held.map(({ task }, at) => [task.id, from + at] as const));
    for (const [index, { id }] of live.rows)
      if (index < from || index >= to) places.set(id, index < from ? index : index - to + from + held.length);
    return places;
  };
  return {
    count: shownCount(shown),
    idAt: (index) => rowAt(shown, index).task?.id,
    indexOf: (id) => (places ?? placesOf()).get(id) ?? -1,
  };
};

export const useLiveList = ({ live, isReading, area }: LiveListOptions): LiveList => {
  const list = useRef<HTMLOListElement>(null);
  const look = useRef<() => View>(() => ({ first: 0, last: 0 }));
  const { rowPx, isMeasured } = useRowHeight(list, barPx);
  const isPresent = useReaderPresence(area);
  const held = useHeldRows({ live, isReading, isPresent, rowPx, view: () => look.current() });
  const count = shownCount(held.shown);
  const { drawn, isFlying, view } = useRowWindow(list, { count, rowPx, coverPx: barPx });
  look.current = view;
  const rows = useMemo(() => rowSourceOf(held.shown), [held.shown]);

  const topOf = (index: number) => (list.current?.getBoundingClientRect().top ?? 0) + index * rowPx;
  const bringToTop = (index: number): void => window.scrollBy(0, topOf(index) - barPx);
  const scrollTo = (index: number): void => {
    const top = topOf(index);
    // The first row brings what stands above the list back with it.
    if (index === 0) window.scrollTo(0, 0);
    else if (top < barPx) window.scrollBy(0, top - barPx);
    else if (top + rowPx > window.innerHeight - footPx) window.scrollBy(0, top + rowPx - window.innerHeight + footPx);
  };
  return { ...held, count, rowPx, isMeasured, drawn, isFlying, view, rows, scrollTo, bringToTop, list };
};
