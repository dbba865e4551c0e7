// Executors as they were seen (D-25).
import { queryOptions } from "@tanstack/react-query";
import type { Client, Executor } from "@task-service/contract";
import { allPages } from "./all-pages.ts";

/** Whether one waits is no event, so it is asked for. */
const lookMs = 3_000;

/** Every executor seen in the last hour, by name. */
export const executorsQuery = (client: Client) =>
  queryOptions({
    queryKey: ["executors"],
    queryFn: ({ signal }) => allPages<Executor>((query) => client.listExecutors({ query, signal })),
    refetchInterval: lookMs,
  });
