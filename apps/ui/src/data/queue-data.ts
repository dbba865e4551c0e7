// The queue: page by page from any position on, how long it is, and the lists that its filters make of it (D-16, D-39).
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useQueries,
  useQueryClient,
} from "@tanstack/react-query";
import { type Client, maxPageSize, type TaskQuery, type TaskSummary } from "@task-service/contract";
import { useCallback } from "react";
import { useClient } from "./client-context.tsx";
import { queueLengthQuery } from "./queue-length-data.ts";
import { taskListsKey } from "./task-data.ts";

export const queuePageSize = maxPageSize;

/** What was passed by is forgotten soon: a reader may pass by all of a long queue. */
const keptMs = 20_000;

const queueKey = [...taskListsKey, "queue-pages"] as const;

export interface QueuePage {
  items: readonly TaskSummary[];
  /** How many tasks the queue holds, as of the same moment as nearly as can be asked for. */
  total: number;
}

/** The tasks from position `page * queuePageSize + 1` on. */
export const queuePageQuery = (client: Client, page: number) =>
  queryOptions({
    queryKey: [...queueKey, page],
    queryFn: async ({ signal, client: queries }): Promise<QueuePage> => {
      const before = page * queuePageSize;
      const jump = page > 0 && { from_position: before + 1 };
      const [{ items, next_cursor }, count] = await Promise.all([
        client.listTasks({ query: { sort: "queue", limit: queuePageSize, ...jump }, signal }),
        // An older length would cut the list short: asked for now, if not one moment ago and still under way.
        queries.fetchQuery({ ...queueLengthQuery(client), staleTime: 0 }),
      ]);
      // The last page says itself where the queue ends, and no page is behind its end.
      if (next_cursor === null && (items.length > 0 || page === 0)) return { items, total: before + items.length };
      return { items, total: items.length > 0 ? Math.max(count, before + items.length + 1) : Math.min(count, before) };
    },
    gcTime: keptMs,
  });

export interface QueuePages {
  pages: (readonly [page: number, tasks: readonly TaskSummary[]])[];
  /** As the page says that was read last; undefined before the first. */
  total: number | undefined;
  dataUpdatedAt: number;
  isReading: boolean;
  error: Error | null;
}

const combinePages = (wanted: readonly number[], results: UseQueryResult<QueuePage>[]): QueuePages => {
  const read = results.flatMap(({ data, dataUpdatedAt }, index) =>
    data ? [{ page: wanted[index] ?? 0, data, dataUpdatedAt }] : [],
  );
  const [newest] = read.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt);
  return {
    pages: read.map(({ page, data }) => [page, data.items] as const),
    total: newest?.data.total,
    dataUpdatedAt: newest?.dataUpdatedAt ?? 0,
    isReading: results.some(({ isFetching }) => isFetching),
    error: results.find(({ error }) => error)?.error ?? null,
  };
};

/** Reads these pages, and follows them. `wanted` stays the same as long as it holds the same. */
export const useQueuePages = (wanted: readonly number[]): QueuePages & { refetch: () => Promise<unknown> } => {
  const client = useClient();
  const queries = useQueryClient();
  const pages = useQueries({
    queries: wanted.map((page) => queuePageQuery(client, page)),
    combine: useCallback((results: UseQueryResult<QueuePage>[]) => combinePages(wanted, results), [wanted]),
  });
  return { ...pages, refetch: () => queries.refetchQueries({ queryKey: queueKey, type: "active" }) };
};

export type ListQuery = Omit<TaskQuery, "limit" | "cursor" | "from_position">;

/** The tasks of the queue that filters let through, page by page. */
export const filteredQueueQuery = (client: Client, query: ListQuery) =>
  infiniteQueryOptions({
    queryKey: [...taskListsKey, "filtered", query],
    queryFn: ({ pageParam, signal }) =>
      client.listTasks({ query: { ...query, limit: 100, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

/** How many these are, exactly up to 10,000. */
export const filteredCountQuery = (client: Client, { sort: _sort, ...query }: ListQuery) =>
  queryOptions({
    queryKey: [...taskListsKey, "filtered-count", query],
    queryFn: ({ signal }) => client.countTasks({ query, signal }),
    placeholderData: keepPreviousData,
  });
