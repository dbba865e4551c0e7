// The rows of the queue as far as they are needed: pages about what is in view, and the queue's length.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ListRows } from "../../components/live-list/filtered-rows.ts";
import type { View } from "../../components/live-list/held-rows.ts";
import { rowsOfPages } from "../../components/live-list/sparse-rows.ts";
import { queuePageSize, useQueuePages } from "../../data/queue-data.ts";

/** A browser draws nothing that is higher than some 17 million pixels. */
export const maxRows = 250_000;
/** Rows that are read before they come into view. */
const aheadRows = 60;
/** What a reader passes on the way is not asked for; who flies past asks for nothing at all (live-list/flight.ts). */
const wantedMs = 40;

const pagesOf = ({ first, last }: View): number[] => {
  const from = Math.max(0, Math.floor((first - aheadRows) / queuePageSize));
  const to = Math.floor((last + aheadRows) / queuePageSize);
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
};

/** The pages about what is in view, a moment after it has come there. */
const useWantedPages = (): [pages: readonly number[], look: (view: View) => void] => {
  const [pages, setPages] = useState<readonly number[]>([0]);
  const seen = useRef<View | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback((view: View) => {
    seen.current = view;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const next = pagesOf(seen.current ?? view);
      setPages((now) => (now[0] === next[0] && now.length === next.length ? now : next));
    }, wantedMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [pages, look];
};

/** The whole queue, of which only what is to be seen is read. */
export const useQueueRows = (): ListRows => {
  const [wanted, look] = useWantedPages();
  const { pages, total, ...reading } = useQueuePages(wanted);
  // While pages far away are read, the queue is as long as it was.
  const known = useRef<number>(undefined);
  known.current = total ?? known.current;
  const length = known.current;
  const live = useMemo(() => rowsOfPages(pages, queuePageSize, Math.min(length ?? 0, maxRows)), [pages, length]);
  return {
    live,
    total: length,
    isMore: false,
    isReading: reading.isReading,
    query: {
      data: length === undefined ? undefined : true,
      error: reading.error,
      dataUpdatedAt: reading.dataUpdatedAt,
      isFetching: reading.isReading,
      refetch: reading.refetch,
    },
    identity: "queue",
    look,
  };
};
