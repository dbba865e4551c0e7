// The rows of the queue as far as they are needed: pages about what is in view, the queue's length, or a filtered list.
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ListRows } from "../../components/live-list/filtered-rows.ts";
import type { View } from "../../components/live-list/held-rows.ts";
import { rowsOfPages } from "../../components/live-list/sparse-rows.ts";
import { useClient } from "../../data/client-context.tsx";
import { queueCountQuery, queuePageQuery, queuePageSize, useQueuePages } from "../../data/queue-data.ts";

/** A browser draws nothing that is higher than some 17 million pixels. */
export const maxRows = 250_000;
/** Rows that are read before they come into view. */
const aheadRows = 60;
/** A reader who flies past so quickly does not need what is on the way. */
const wantedMs = 120;

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
  const client = useClient();
  const [wanted, look] = useWantedPages();
  // Most queues fit into their first page, which says so itself.
  const head = useQuery({ ...queuePageQuery(client, 0), enabled: wanted[0] === 0 });
  const isShort = head.data?.next_cursor === null && wanted[0] === 0;
  const count = useQuery({ ...queueCountQuery(client), enabled: head.data !== undefined && !isShort });
  const last = (count.data ?? 0) - 1;
  const { pages, end, isReading, error } = useQueuePages(
    useMemo(
      () => (count.data ? wanted.filter((page) => page * queuePageSize <= last) : [0]),
      [wanted, last, count.data],
    ),
  );
  const read = pages.reduce((most, [page, tasks]) => Math.max(most, page * queuePageSize + tasks.length), 0);
  const total = end ?? (isShort ? (head.data?.items.length ?? 0) : (count.data ?? read));
  const live = useMemo(
    () => rowsOfPages(pages, queuePageSize, Math.min(Math.max(total, read), maxRows)),
    [pages, total, read],
  );
  return {
    live,
    total: isShort || end !== undefined || count.data !== undefined ? total : undefined,
    isMore: false,
    isReading,
    query: {
      data: head.data || pages.length > 0 ? true : undefined,
      error: error ?? head.error,
      dataUpdatedAt: head.dataUpdatedAt,
      isFetching: isReading,
      refetch: head.refetch,
    },
    identity: "queue",
    look,
  };
};
