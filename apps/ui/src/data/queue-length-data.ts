// How many tasks the queue holds (D-39), for whoever shows it: every read of the queue renews it, else a look now and then.
import { queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";

/** Begins anew with every read of the queue. */
const lookMs = 10_000;

export const queueLengthQuery = (client: Client) =>
  queryOptions({
    queryKey: ["queue-length"],
    queryFn: async ({ signal }) =>
      (await client.countTasks({ query: { state: "queued", assignee_type: "agent" }, signal })).count,
    refetchInterval: lookMs,
  });
