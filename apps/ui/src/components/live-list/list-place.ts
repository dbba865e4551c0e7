// Where in a long list its reader is: told once the scrolling rests, for the address, and found again from there.
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { ListRows } from "./filtered-rows.ts";
import { rowAt } from "./held-rows.ts";
import type { LiveList } from "./use-live-list.ts";

/** After the last movement the reader has come to rest. */
export const restMs = 400;

/** A list that can be read only from its beginning is read no further to find a place in it. */
const maxSought = 2_000;

interface ListPlaceOptions {
  rows: ListRows;
  list: LiveList;
  /** The number, from 1, of the row that the list begins with on screen when it is opened; undefined for its beginning. */
  at: number | undefined;
  onRest: (at: number | undefined) => void;
}

export const useListPlace = ({ rows, list, at, onRest }: ListPlaceOptions): void => {
  const { live, isReading, look } = rows;
  const { history } = useRouter();
  const wanted = useRef(at);

  const arrive = useEffectEvent(() => {
    if (wanted.current === undefined || !list.isMeasured) return;
    const index = wanted.current - 1;
    const isEnd = list.count >= maxSought || (rows.total !== undefined && list.count >= rows.total);
    // It stands first only above a whole window of others.
    const last = index + Math.ceil(window.innerHeight / list.rowPx);
    if (last >= list.count && !isEnd) {
      if (last >= live.total && !isReading) look({ first: index, last });
      return;
    }
    wanted.current = undefined;
    list.bringToTop(Math.min(index, list.count - 1));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each is a reason to look whether the row is there
  useLayoutEffect(arrive, [live, isReading, rows.total, list.count, list.isMeasured]);

  const rest = useEffectEvent((path: string) => {
    // On the way to another screen, or to the row itself, nobody rests here.
    if (wanted.current !== undefined || history.location.pathname !== path) return;
    const { first } = list.view();
    const next = first === 0 ? undefined : (rowAt(list.shown, first).index ?? first) + 1;
    if (next !== at) onRest(next);
  });
  useEffect(() => {
    const { pathname } = history.location;
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(() => rest(pathname), restMs);
    };
    // Who moves by themselves is not brought elsewhere any more.
    const leave = () => {
      wanted.current = undefined;
    };
    window.addEventListener("scroll", moved, { passive: true, signal });
    for (const act of ["wheel", "touchmove", "pointerdown", "keydown"])
      window.addEventListener(act, leave, { passive: true, signal });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [history]);
};
