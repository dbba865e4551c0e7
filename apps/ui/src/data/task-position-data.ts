// Where a task stands in the queue and why it waits (D-27).

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";
import { taskListsKey } from "./task-data.ts";

/** Asked again as lists are: what moves it happens to other tasks. */
export const taskPositionQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...taskListsKey, "position", id],
    queryFn: ({ signal }) => client.getTaskPosition({ params: { id }, signal }),
  });
