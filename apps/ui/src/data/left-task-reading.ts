// Finds out what became of many tasks with few requests: by what changed last, by what was deleted last, then one by one (D-16).
import { type Client, maxPageSize, type TaskSummary } from "@task-service/contract";

/** As it is now, or null where it was deleted. */
export type LeftTask = TaskSummary | null;

/** Others may have changed, too, since these left. */
const pageSize = (left: number): number => Math.min(left * 4, maxPageSize);

/** Knows each of `ids`, and perhaps others. */
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

const gatherings = new WeakMap<Client, Gathering>();

const gather = (client: Client): Gathering => {
  const ids = new Set<string>();
  const answer = new Promise((resolve) => setTimeout(resolve)).then(() => {
    gatherings.delete(client);
    return readTogether(client, [...ids]);
  });
  const gathering = { ids, answer };
  gatherings.set(client, gathering);
  return gathering;
};

/** What is asked for at the same moment is read together. */
export const readLeftTask = async (client: Client, id: string): Promise<LeftTask> => {
  const { ids, answer } = gatherings.get(client) ?? gather(client);
  ids.add(id);
  return (await answer).get(id) ?? null;
};
