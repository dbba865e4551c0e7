// What an executor tells its workers (D-40): inside one, a command means the worker's own task unless it names another.
import { wrongUse } from "./exit-codes.ts";

export interface WorkerSurroundings {
  readonly taskId: string | undefined;
  readonly dispatchId: string | undefined;
}

export const workerSurroundings = ({ TASK_ID, DISPATCH_ID }: NodeJS.ProcessEnv): WorkerSurroundings => ({
  taskId: TASK_ID || undefined,
  dispatchId: DISPATCH_ID || undefined,
});

/** The named task, or the worker's own. Fails as wrong use when there is neither. */
export const taskIdOr = (named: string | undefined): string => {
  const id = named ?? workerSurroundings(process.env).taskId;
  if (!id) throw wrongUse("Name a task by its id: only inside a worker (TASK_ID) it can be left out.");
  return id;
};

/** What names the worker's dispatch, if `taskId` is the task it works on. */
export const dispatchFieldFor = (taskId: string): { dispatch_id?: string } => {
  const own = workerSurroundings(process.env);
  return own.dispatchId && own.taskId === taskId ? { dispatch_id: own.dispatchId } : {};
};
