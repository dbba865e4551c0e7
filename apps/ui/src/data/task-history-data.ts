// What happened to a task: its events, all or only its changes (D-28), and its dispatches.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";
import { taskKey } from "./task-data.ts";

const pageSize = 30;

/** Newest first, page by page; with `isChangesOnly`, those alone that changed a field. */
export const taskHistoryQuery = (client: Client, id: string, isChangesOnly: boolean) =>
  infiniteQueryOptions({
    queryKey: [...taskKey(id), "history", isChangesOnly],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam && { cursor: pageParam }) };
      return isChangesOnly
        ? client.listEvents({ query: { ...query, task: id, type: ["task.updated"] }, signal })
        : client.listTaskEvents({ params: { id }, query, signal });
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });

/** The dispatches of a task, newest first, page by page. */
export const taskDispatchPagesQuery = (client: Client, id: string) =>
  infiniteQueryOptions({
    queryKey: [...taskKey(id), "dispatch-pages"],
    queryFn: ({ pageParam, signal }) =>
      client.listTaskDispatches({
        params: { id },
        query: { limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });

/** One dispatch with the persona as it was handed over, which never changes. */
export const dispatchedPersonaQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: ["dispatched-persona", id],
    queryFn: ({ signal }) => client.getDispatch({ params: { id }, signal }),
    select: ({ agent_type }) => agent_type,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
