// Tasks: the dispatched ones, and one of them (D-12 to D-16).

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";

export const tasksKey = ["tasks"] as const;
export const taskListsKey = [...tasksKey, "list"] as const;
export const taskKey = (id: string) => [...tasksKey, id] as const;

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

/** How many tasks a line of follow-ups has, its root included. */
export const lineageCountQuery = (client: Client, root_id: string) =>
  queryOptions({
    queryKey: [...taskListsKey, "lineage-count", root_id],
    queryFn: ({ signal }) => client.countTasks({ query: { root_id }, signal }),
  });
