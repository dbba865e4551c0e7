// The rows of the queue as far as they are needed: pages about what is in view, the queue's length, or a filtered list.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { View } from "../../components/live-list/held-rows.ts";
import { rowsOfList, rowsOfPages, type SparseRows } from "../../components/live-list/sparse-rows.ts";
import { useClient } from "../../data/client-context.tsx";
import {
  filteredCountQuery,
  filteredQueueQuery,
  type ListQuery,
  queueCountQuery,
  queuePageQuery,
  queuePageSize,
  useQueuePages,
} from "../../data/queue-data.ts";

/** A browser draws nothing that is higher than some 17 million pixels. */
export const maxRows = 250_000;
/** Rows that are read before they come into view. */
const aheadRows = 80;
/** A reader who flies past so quickly does not need what is on the way. */
const wantedMs = 120;
/** Rows shown to come at the end of a list that goes on. */
const unreadRows = 10;

export interface ListRows {
  live: SparseRows;
  /** How many there are; undefined until it is known. */
  total: number | undefined;
  /** There are more than `total`. */
  isMore: boolean;
  isReading: boolean;
  /** For `QueryView`: data once there is something to show. */
  query: {
    data: true | undefined;
    error: Error | null;
    dataUpdatedAt: number;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  /** Changes with the list itself, not with what is in it. */
  identity: string;
  /** Hears which rows are to be seen. */
  look: (view: View) => void;
}

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

/** What filters let through, page after page. */
export const useFilteredRows = (query: ListQuery): ListRows => {
  const client = useClient();
  const list = useInfiniteQuery(filteredQueueQuery(client, query));
  const { data: count } = useQuery(filteredCountQuery(client, query));
  // Until the first answer to other filters the list before stays.
  const identity = useRef("");
  if (!list.isPlaceholderData) identity.current = JSON.stringify(query);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const tasks = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const live = useMemo(() => rowsOfList(tasks, hasNextPage ? unreadRows : 0), [tasks, hasNextPage]);
  const look = useCallback(
    ({ last }: View) => {
      if (hasNextPage && !isFetchingNextPage && last + aheadRows >= tasks.length) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage, tasks.length],
  );
  return {
    live,
    total: hasNextPage ? count?.count : tasks.length,
    isMore: hasNextPage && count?.exact === false,
    isReading: list.isFetching,
    query: { ...list, data: data && true },
    identity: identity.current,
    look,
  };
};
