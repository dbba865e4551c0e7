// The queue: page by page from any position on, how long it is, and the lists that its filters make of it (D-16, D-39).
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useQueries,
} from "@tanstack/react-query";
import { type Client, maxPageSize, type Page, type TaskQuery, type TaskSummary } from "@task-service/contract";
import { useCallback } from "react";
import { useClient } from "./client-context.tsx";
import { taskKey, taskListsKey } from "./task-data.ts";

export const queuePageSize = maxPageSize;

/** What was passed by is forgotten soon: a reader may pass by all of a long queue. */
const keptMs = 20_000;

const queueKey = [...taskListsKey, "queue"] as const;

/** The tasks from position `page * queuePageSize + 1` on. */
export const queuePageQuery = (client: Client, page: number) =>
  queryOptions({
    queryKey: [...queueKey, "page", page],
    queryFn: ({ signal }) =>
      client.listTasks({
        query: { sort: "queue", limit: queuePageSize, ...(page > 0 && { from_position: page * queuePageSize + 1 }) },
        signal,
      }),
    gcTime: keptMs,
  });

/** How many tasks the queue holds, exactly. */
export const queueCountQuery = (client: Client) =>
  queryOptions({
    queryKey: [...queueKey, "count"],
    queryFn: async ({ signal }) => {
      const query = { state: "queued", assignee_type: "agent" } as const;
      return (await client.countTasks({ query, signal })).count;
    },
  });

export interface QueuePages {
  pages: (readonly [page: number, tasks: readonly TaskSummary[]])[];
  /** Where the queue ends, if one of the pages tells. */
  end: number | undefined;
  isReading: boolean;
  error: Error | null;
}

const combinePages = (wanted: readonly number[], results: UseQueryResult<Page<TaskSummary>>[]): QueuePages => {
  const read = results.flatMap(({ data }, index) => (data ? [{ page: wanted[index] ?? 0, data }] : []));
  const last = read.find(({ data }) => data.next_cursor === null && data.items.length > 0);
  return {
    pages: read.map(({ page, data }) => [page, data.items] as const),
    end: last && last.page * queuePageSize + last.data.items.length,
    isReading: results.some(({ isFetching }) => isFetching),
    error: results.find(({ error }) => error)?.error ?? null,
  };
};

/** Reads these pages, and follows them. */
export const useQueuePages = (wanted: readonly number[]): QueuePages => {
  const client = useClient();
  return useQueries({
    queries: wanted.map((page) => queuePageQuery(client, page)),
    combine: useCallback((results: UseQueryResult<Page<TaskSummary>>[]) => combinePages(wanted, results), [wanted]),
  });
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

/** What became of tasks that left the list: as they are now, or null where they were deleted. */
export const useLeftTasks = (ids: readonly string[]): ReadonlyMap<string, TaskSummary | null> => {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [...taskKey(id), "left"],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { items } = await client.listTasks({ query: { q: id }, signal });
        return items[0] ?? null;
      },
      refetchInterval: false as const,
      gcTime: keptMs,
    })),
    combine: useCallback(
      (results: UseQueryResult<TaskSummary | null>[]) =>
        new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[ids[index] ?? "", data] as const]))),
      [ids],
    ),
  });
};
