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

const kinds = ["patch", "requeue", "delete"] as const;
type Kind = (typeof kinds)[number];
type Change = (id: string) => Promise<unknown>;

const kindOf = (batch: TaskBatch): Kind => {
  const asked = kinds.filter((kind) => batch[kind] !== undefined);
  const [kind, ...others] = asked;
  if (kind && others.length === 0) return kind;
  const detail = kind ? "excludes the others" : "is missing, unless another one is sent";
  const errors = (kind ? asked : kinds).map((name) => ({ pointer: `/${name}`, detail }));
  throw new RequestProblem("invalid_request", "Send exactly one of `patch`, `requeue` and `delete`.", { errors });
};

const changeOf = (deps: BatchDeps, { patch = {}, requeue = {} }: TaskBatch, kind: Kind, actor: Actor): Change => {
  const changes: Record<Kind, Change> = {
    patch: (id) => updateTask(deps, id, patch, undefined, actor),
    requeue: (id) => deps.requeue(id, requeue, actor),
    delete: (id) => deleteTask(deps, id, undefined, actor),
  };
  return changes[kind];
};

/** What is wrong with a field of the change, as that of a field of the batch. */
const placed = (error: unknown, kind: Kind): unknown => {
  if (!(error instanceof RequestProblem && error.errors)) return error;
  const errors = error.errors.map(({ pointer, detail }) => ({ pointer: `/${kind}${pointer}`, detail }));
  return new RequestProblem(error.code, `${kind}: ${error.message}`, { errors, headers: error.headers });
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
  const kind = kindOf(batch);
  const change = changeOf(deps, batch, kind, actor);
  const status = kind === "delete" ? 204 : 200;
  const untilMs = performance.now() + maxBatchMs;
  return mapInParallel(parallelChanges, batch.ids, async (id) => {
    try {
      await (performance.now() < untilMs ? change(id) : refuseLate());
      return { id, status };
    } catch (error) {
      const problem = toProblem(placed(error, kind));
      return { id, status: problem.status, problem };
    }
  });
};
