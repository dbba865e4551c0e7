// Executors as they were seen, and the tasks they hold (D-25).
import { queryOptions } from "@tanstack/react-query";
import { type Client, type Executor, maxPageSize } from "@task-service/contract";
import { allPages } from "./all-pages.ts";
import { taskListsKey } from "./task-data.ts";

/** Whether one waits is no event, so it is asked for. */
const lookMs = 3_000;

/** Every executor seen in the last hour, by name. */
export const executorsQuery = (client: Client) =>
  queryOptions({
    queryKey: ["executors"],
    queryFn: ({ signal }) => allPages<Executor>((query) => client.listExecutors({ query, signal })),
    refetchInterval: lookMs,
  });

/** The newest tasks that have a live dispatch, each naming its executor; `next_cursor` tells of more. */
export const liveTasksQuery = (client: Client) =>
  queryOptions({
    queryKey: [...taskListsKey, "live"],
    queryFn: ({ signal }) => client.listTasks({ query: { live: true, limit: maxPageSize }, signal }),
  });
