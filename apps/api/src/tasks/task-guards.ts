// What must hold before a task may be changed: the version the caller saw, the dispatch the caller works for (D-13).
import type { Task } from "@task-service/contract";
import { invalid, RequestProblem } from "../platform/problems.ts";

/** Whether a worker has the task now. */
export const isLive = ({ state, dispatch_ended_at }: Task): boolean =>
  state === "dispatched" && dispatch_ended_at === null;

/** Throws `precondition_failed` unless `ifMatch`, if sent, names the task's version. */
export const checkVersion = ({ version }: Task, ifMatch: string | undefined): void => {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    throw invalid("?if-match", 'must be the ETag of the task, with its quotes: "7"');
  }
  if (!tags.includes(`"${version}"`)) {
    throw new RequestProblem("precondition_failed", `The task is at version ${version} now; read it again.`);
  }
};

/** Throws `stale_dispatch` unless `dispatchId`, if given, is the latest dispatch of a dispatched task. */
export const checkDispatch = (
  task: Pick<Task, "state" | "current_dispatch_id">,
  dispatchId: string | undefined,
): void => {
  if (dispatchId === undefined) return;
  if (task.state === "dispatched" && task.current_dispatch_id === dispatchId.toLowerCase()) return;
  throw new RequestProblem(
    "stale_dispatch",
    "This dispatch is over and the task went on without it; stop and forget it.",
  );
};
