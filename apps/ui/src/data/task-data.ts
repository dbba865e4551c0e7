// Tasks: the dispatched ones, and one of them (D-12 to D-16).

import { queryOptions } from "@tanstack/react-query";
import type { Client, TaskQuery } from "@task-service/contract";

export const tasksKey = ["tasks"] as const;
export const taskListsKey = [...tasksKey, "list"] as const;
export const taskKey = (id: string) => [...tasksKey, id] as const;

/** More of each are nothing to look at beside a queue. */
export const maxDispatchedShown = 100;

/** Those that need a person, those that run, and those that something happened to last; the latest dispatch first. */
export const dispatchedQuery = (client: Client) =>
  queryOptions({
    queryKey: [...taskListsKey, "dispatched"],
    queryFn: async ({ signal }) => {
      const read = (query: TaskQuery) =>
        client.listTasks({
          query: { state: "dispatched", sort: "-updated_at", limit: maxDispatchedShown, ...query },
          signal,
        });
      const pages = await Promise.all([read({ needs_attention: true }), read({ live: true }), read({})]);
      // The pages are of one moment as nearly as can be asked for: a task is as the last that tells of it says.
      return { items: [...new Map(pages.flatMap(({ items }) => items).map((task) => [task.id, task])).values()] };
    },
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
