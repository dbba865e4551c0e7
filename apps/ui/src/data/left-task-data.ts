// What became of tasks that left a list: asked for together, however many left at once (D-16).
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { type Client, maxPageSize, type TaskSummary } from "@task-service/contract";
import { useCallback } from "react";
import { useClient } from "./client-context.tsx";
import { taskKey } from "./task-data.ts";

/** What was passed by is forgotten soon. */
const keptMs = 20_000;

/** As it is now, or null where it was deleted. */
type LeftTask = TaskSummary | null;

/** Others may have changed, too, since these left. */
const pageSize = (left: number): number => Math.min(left * 4, maxPageSize);

const readTogether = async (client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, LeftTask>> => {
  const found = new Map<string, LeftTask>();
  const missing = () => ids.filter((id) => !found.has(id));
  // Who left has just been changed, or deleted.
  if (ids.length > 1) {
    const { items } = await client.listTasks({ query: { sort: "-updated_at", limit: pageSize(ids.length) } });
    for (const task of items) found.set(task.id, task);
  }
  if (missing().length > 1) {
    const { items } = await client.listEvents({ query: { type: ["task.deleted"], limit: pageSize(ids.length) } });
    for (const { task_id } of items) if (task_id !== null) found.set(task_id, null);
  }
  // What a busy service no longer has among its latest, one after the other.
  for (const id of missing()) {
    const { items } = await client.listTasks({ query: { q: id } });
    found.set(id, items[0] ?? null);
  }
  return found;
};

interface Gathering {
  ids: Set<string>;
  answer: Promise<ReadonlyMap<string, LeftTask>>;
}

/** By client: what is asked for in one turn is read together. */
const gatherings = new WeakMap<Client, Gathering>();

const gather = (client: Client): Gathering => {
  const ids = new Set<string>();
  const answer = Promise.resolve().then(() => {
    gatherings.delete(client);
    return readTogether(client, [...ids]);
  });
  const gathering = { ids, answer };
  gatherings.set(client, gathering);
  return gathering;
};

const readLeft = async (client: Client, id: string): Promise<LeftTask> => {
  const { ids, answer } = gatherings.get(client) ?? gather(client);
  ids.add(id);
  return (await answer).get(id) ?? null;
};

/** What became of tasks that left their list, as far as it is known. */
export const useLeftTasks = (ids: readonly string[]): ReadonlyMap<string, LeftTask> => {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [...taskKey(id), "left"],
      queryFn: () => readLeft(client, id),
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
