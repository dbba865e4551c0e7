// Tasks: the queue, the dispatched ones, one of them with its history (D-12 to D-16).

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type Client, maxPageSize, type Task, type TaskQuery } from "@task-service/contract";

export const tasksKey = ["tasks"] as const;
export const taskListsKey = [...tasksKey, "list"] as const;
export const taskKey = (id: string) => [...tasksKey, id] as const;

const pagesQuery = (client: Client, name: string, filters: TaskQuery) =>
  infiniteQueryOptions({
    queryKey: [...taskListsKey, name],
    queryFn: ({ pageParam, signal }) =>
      client.listTasks({ query: { ...filters, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });

/** The queue in dispatch order, page by page. */
export const queueQuery = (client: Client) => pagesQuery(client, "queue", { sort: "queue", limit: maxPageSize });

/** Every task, newest first, page by page. */
export const allTasksQuery = (client: Client) => pagesQuery(client, "all", { limit: 100 });

/** The newest of the dispatched tasks; the latest dispatch first. */
export const dispatchedQuery = (client: Client) =>
  queryOptions({
    queryKey: [...taskListsKey, "dispatched"],
    queryFn: ({ signal }) => client.listTasks({ query: { state: "dispatched", limit: 100 }, signal }),
    select: ({ items }) =>
      items.toSorted((a, b) => (b.dispatched_at ?? b.updated_at).localeCompare(a.dispatched_at ?? a.updated_at)),
  });

export const taskQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: taskKey(id),
    queryFn: ({ signal }) => client.getTask({ params: { id }, signal }),
  });

/** Where a task stands and why it waits (D-27); it moves with every other task, so its own changes ask for it anew. */
export const taskPositionQuery = (client: Client, { id, version }: Pick<Task, "id" | "version">) =>
  queryOptions({
    queryKey: [...taskKey(id), "position", version],
    queryFn: ({ signal }) => client.getTaskPosition({ params: { id }, signal }),
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    refetchInterval: 5_000,
  });

/** How many tasks a line of follow-ups has, its root included. */
export const lineageCountQuery = (client: Client, root_id: string) =>
  queryOptions({
    queryKey: [...taskListsKey, "lineage-count", root_id],
    queryFn: ({ signal }) => client.countTasks({ query: { root_id }, signal }),
  });

export const followUpsQuery = (client: Client, id: string) =>
  queryOptions({
    // A list: the events of its tasks do not name their parent.
    queryKey: [...taskListsKey, "follow-ups", id],
    queryFn: ({ signal }) => client.listTasks({ query: { parent_id: id, sort: "created_at" }, signal }),
    select: ({ items }) => items,
  });

export const taskDispatchesQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...taskKey(id), "dispatches"],
    queryFn: ({ signal }) => client.listTaskDispatches({ params: { id }, signal }),
    select: ({ items }) => items,
  });

export const taskEventsQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...taskKey(id), "events"],
    queryFn: ({ signal }) => client.listTaskEvents({ params: { id }, signal }),
    select: ({ items }) => items,
  });
