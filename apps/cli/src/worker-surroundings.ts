// What an executor tells its workers (D-40): inside one, a command means the worker's own task unless it names another.

import { isId } from "./agent-type-names.ts";
import { wrongUse } from "./exit-codes.ts";
import { shortened } from "./shortened-text.ts";
import { surroundings } from "./surroundings.ts";
import { printable } from "./terminal.ts";

export interface WorkerSurroundings {
  readonly taskId: string | undefined;
  readonly dispatchId: string | undefined;
}

export const workerSurroundings = ({ TASK_ID, DISPATCH_ID }: NodeJS.ProcessEnv): WorkerSurroundings => ({
  taskId: TASK_ID || undefined,
  dispatchId: DISPATCH_ID || undefined,
});

/** `id`, if it is one: the service knows no shorter ones. Fails as wrong use. */
export const wholeId = (id: string, what: string): string => {
  if (isId(id)) return id;
  throw wrongUse(`${printable(shortened(id))} is not the id of a ${what}: give all 36 characters of it.`);
};

/** The named task, or the worker's own. Fails as wrong use when there is neither. */
export const taskIdOr = (named: string | undefined): string => {
  const id = named ?? workerSurroundings(surroundings().env).taskId;
  if (!id) throw wrongUse("Name a task by its id: only inside a worker (TASK_ID) it can be left out.");
  return wholeId(id, "task");
};

/** What names the worker's dispatch, if `taskId` is the task it works on. */
export const dispatchFieldFor = (taskId: string): { dispatch_id?: string } => {
  const own = workerSurroundings(surroundings().env);
  return own.dispatchId && own.taskId === taskId ? { dispatch_id: own.dispatchId } : {};
};
