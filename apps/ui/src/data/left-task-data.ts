// What became of tasks that left a list: asked for together, however many left at once (D-16).
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useCallback } from "react";
import { useClient } from "./client-context.tsx";
import type { LeftTask } from "./left-task-reading.ts";
import { taskKey } from "./task-data.ts";

/** What was passed by is forgotten soon. */
const keptMs = 20_000;

/** What became of tasks that left their list, as far as it is known. */
export const useLeftTasks = (ids: readonly string[]): ReadonlyMap<string, LeftTask> => {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [...taskKey(id), "left"],
      // The first screen has no need of it.
      queryFn: async () => (await import("./left-task-reading.ts")).readLeftTask(client, id),
      refetchInterval: false as const,
      gcTime: keptMs,
    })),
    combine: useCallback(
      (results: UseQueryResult<LeftTask>[]) =>
        new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[ids[index] ?? "", data] as const]))),
      [ids],
    ),
  });
};
