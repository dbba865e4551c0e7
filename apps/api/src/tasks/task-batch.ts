// POST /tasks/batch (D-39): one change to many tasks, each by its own guard and with an outcome of its own.
import type { Actor, BatchItem, Problem, TaskBatch } from "@task-service/contract";
import { mapInParallel } from "../platform/parallel.ts";
import { RequestProblem } from "../platform/problems.ts";
import { deleteTask, type TaskDeps, updateTask } from "./task-service.ts";

/** Requeues a task, as its own request would; the room `dispatch` owns that. */
export type RequeueTask = (id: string, body: { reason?: string | null }, actor: Actor) => Promise<unknown>;

export interface BatchDeps extends TaskDeps {
  requeue: RequeueTask;
}

/** Half of the connections that requests have: others go on meanwhile. */
const parallelChanges = 4;
/** What has not begun by then is left to another request, so that this one is answered before it is given up. */
const maxBatchMs = 6000;

type Change = (id: string) => Promise<unknown>;

const changeOf = (deps: BatchDeps, { patch, requeue, delete: isDeletion }: TaskBatch, actor: Actor): Change => {
  const changes: Change[] = [];
  if (patch) changes.push((id) => updateTask(deps, id, patch, undefined, actor));
  if (requeue) changes.push((id) => deps.requeue(id, requeue, actor));
  if (isDeletion) changes.push((id) => deleteTask(deps, id, undefined, actor));
  const [change, ...others] = changes;
  if (change && others.length === 0) return change;
  throw new RequestProblem("invalid_request", "Send exactly one of `patch`, `requeue` and `delete`.");
};

const refuseLate = async (): Promise<never> => {
  throw new RequestProblem("overloaded", "The batch took too long before it came to this task; send it again.");
};

/**
 * The outcome for each of `ids`, in their order; `toProblem` says what an error comes to. Throws `invalid_request`
 * unless exactly one change is asked for.
 */
export const changeTasks = async (
  deps: BatchDeps,
  batch: TaskBatch,
  actor: Actor,
  toProblem: (error: unknown) => Problem,
): Promise<BatchItem[]> => {
  const change = changeOf(deps, batch, actor);
  const status = batch.delete ? 204 : 200;
  const untilMs = performance.now() + maxBatchMs;
  return mapInParallel(parallelChanges, batch.ids, async (id) => {
    try {
      await (performance.now() < untilMs ? change(id) : refuseLate());
      return { id, status };
    } catch (error) {
      const problem = toProblem(error);
      return { id, status: problem.status, problem };
    }
  });
};
