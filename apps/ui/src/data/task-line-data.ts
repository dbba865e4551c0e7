// A line of follow-ups: every task that began with the same root.

import { infiniteQueryOptions } from "@tanstack/react-query";
import { type Client, maxPageSize } from "@task-service/contract";
import { taskListsKey } from "./task-data.ts";

/** Oldest first, page by page, so that whatever a task follows up on comes before it. */
export const taskLineQuery = (client: Client, rootId: string) =>
  infiniteQueryOptions({
    queryKey: [...taskListsKey, "line", rootId],
    queryFn: ({ pageParam, signal }) =>
      client.listTasks({
        query: { root_id: rootId, sort: "created_at", limit: maxPageSize, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
