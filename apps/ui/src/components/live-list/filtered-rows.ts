// The rows of a list that filters make, page after page, as they come into view.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { useClient } from "../../data/client-context.tsx";
import { filteredCountQuery, filteredQueueQuery, type ListQuery } from "../../data/queue-data.ts";
import type { View } from "./held-rows.ts";
import { rowsOfList, type SparseRows } from "./sparse-rows.ts";

/** Rows that are read before they come into view. */
const aheadRows = 80;
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
    total: hasNextPage ? count?.count : data && tasks.length,
    isMore: hasNextPage && count?.exact === false,
    isReading: list.isFetching,
    query: { ...list, data: data && true },
    identity: identity.current,
    look,
  };
};
