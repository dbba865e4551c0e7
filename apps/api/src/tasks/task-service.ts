// Changing and deleting tasks (D-13 to D-15): each change with its event, in one transaction.
import { isDeepStrictEqual } from "node:util";
import type { Actor, Task, TaskPatch } from "@task-service/contract";
import { appendEvent, excerpt } from "../events/event-queries.ts";
import { type Fragment, type Queryable, type Transaction, transact } from "../platform/database.ts";
import { invalid, missing, RequestProblem } from "../platform/problems.ts";
import { assignmentOf } from "./assignment.ts";
import { writeMove } from "./count-queries.ts";
import { deleteNotesOfTask } from "./note-queries.ts";
import { signalQueued } from "./queue-signals.ts";
import type { CreationDeps } from "./task-creation.ts";
import { readGitLink } from "./task-drafts.ts";
import { checkDispatch, checkVersion, isLive } from "./task-guards.ts";
import {
  deleteTaskRow,
  findTask,
  type LockedTask,
  lockPlacesOfFamily,
  lockTask,
  removeFromQueue,
  returnToQueue,
  type TaskValues,
  updateTaskRow,
} from "./task-queries.ts";
import { findReferences } from "./task-references.ts";

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
}

/** The sums over a task's dispatches after a report, and whose dispatch reported. */
export interface ReportedUsage {
  sums: Required<Usage>;
  by: { agent_type_id: string; executor: string };
}

/** What a change of a task does to its dispatches, whose table is not written here. */
export interface DispatchWrites {
  /** A statement, to be run or to stand in another one: renews the leases of those of an array of ids that are live. */
  renewing(sql: Queryable, dispatchIds: Fragment): Fragment;
  /** Sets the latest dispatch's totals; undefined if the task was never dispatched. */
  reportUsage(transaction: Transaction, taskId: string, usage: Usage): Promise<ReportedUsage | undefined>;
  deleteOfTask(transaction: Transaction, taskId: string): Promise<void>;
}

export interface TaskDeps extends CreationDeps {
  dispatches: DispatchWrites;
}

const locked = async (transaction: Transaction, id: string, ifMatch: string | undefined): Promise<LockedTask> => {
  const task = await lockTask(transaction, id);
  if (!task) throw missing("task");
  checkVersion(task, ifMatch);
  return task;
};

const usageIn = ({ input_tokens, output_tokens }: TaskPatch): Usage => ({
  ...(input_tokens !== undefined && { input_tokens }),
  ...(output_tokens !== undefined && { output_tokens }),
});

/** The values the task should have after `patch`, as far as it names them, and whose dispatch reported its usage. */
const wantedValues = async (
  { gitUrl, dispatches }: TaskDeps,
  transaction: Transaction,
  task: Task,
  patch: TaskPatch,
): Promise<{ wanted: TaskValues; usedBy: ReportedUsage["by"] | undefined }> => {
  const {
    git_link,
    assignee_type,
    assignee,
    input_tokens: _in,
    output_tokens: _out,
    dispatch_id: _id,
    ...plain
  } = patch;
  const usage = usageIn(patch);
  const hasUsage = Object.keys(usage).length > 0;
  // One that stays as it is is not judged again: its agent type may have become inactive since.
  const assigns = (["assignee_type", "assignee"] as const).some(
    (field) => patch[field] !== undefined && patch[field] !== task[field],
  );
  if (assigns && !("assignee_type" in patch)) throw invalid("/assignee_type", "must be given with assignee");
  const reported = hasUsage ? await dispatches.reportUsage(transaction, task.id, usage) : undefined;
  const wanted = {
    ...plain,
    ...(git_link !== undefined && { git_link: readGitLink(gitUrl, git_link) }),
    ...(assigns && assignmentOf(patch, await findReferences(transaction, [patch]))),
    ...(reported?.sums ?? usage),
  };
  return { wanted, usedBy: reported?.by };
};

const onlyWhileNotLive = ["prompt", "assignee_type", "assignee", "organization_id"];
const placeInQueue = ["priority", "assignee_type", "assignee", "organization_id"];

/** The entries of `wanted` that differ from the task. */
const changesIn = (task: Task, wanted: TaskValues): TaskValues =>
  Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(value, task[field as keyof Task])),
  );

const historyOf = (task: Task, changes: TaskValues) =>
  Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      { old: excerpt(task[field as keyof Task]), new: excerpt(value) },
    ]),
  );

/**
 * Applies a merge patch. One that changes nothing leaves version and history as they are.
 * Throws `not_found`, `precondition_failed`, `stale_dispatch`, `already_dispatched`, `invalid_request`,
 * `unknown_assignee` or `inactive_agent_type`.
 */
export const updateTask = async (
  deps: TaskDeps,
  id: string,
  patch: TaskPatch,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<Task> => {
  const { updated, hasMoved, isLinked } = await transact(deps.sql, async (transaction) => {
    const task = await locked(transaction, id, ifMatch);
    checkDispatch(task, patch.dispatch_id);
    if (patch.dispatch_id !== undefined)
      await deps.dispatches.renewing(transaction, transaction`array[${patch.dispatch_id}::uuid]`);
    const { wanted, usedBy } = await wantedValues(deps, transaction, task, patch);
    const changes = changesIn(task, wanted);
    const fields = Object.keys(changes);
    if (fields.length === 0) return { updated: task, hasMoved: false, isLinked: false };
    if (isLive(task) && fields.some((field) => onlyWhileNotLive.includes(field))) {
      throw new RequestProblem(
        "already_dispatched",
        "A worker has this task: prompt and assignee cannot change until its dispatch ends.",
      );
    }
    const hasMoved = task.state === "queued" && fields.some((field) => placeInQueue.includes(field));
    if (hasMoved) await removeFromQueue(transaction, id);
    await updateTaskRow(transaction, id, { ...changes, ...("git_link" in changes && { git_state: null }) });
    if (hasMoved) await returnToQueue(transaction, id);
    const updated = await findTask(transaction, id);
    if (!updated) throw missing("task");
    await writeMove(transaction, task, updated);
    const data = {
      changes: historyOf(task, changes),
      ...(patch.dispatch_id && { dispatch_id: patch.dispatch_id }),
      // Usage is folded from the history alone: by then the task may be gone.
      ...(("input_tokens" in changes || "output_tokens" in changes) && { usage: { root_id: task.root_id, ...usedBy } }),
    };
    await appendEvent(transaction, {
      type: "task.updated",
      organization_id: updated.organization_id,
      task_id: id,
      actor,
      data,
    });
    return { updated, hasMoved, isLinked: "git_link" in changes };
  });
  if (hasMoved) signalQueued(deps.signals, [updated]);
  if (isLinked && updated.git_link) deps.linked([updated.git_link]);
  return updated;
};

/** Removes the task and its dispatches, live or not; its history stays. Throws `not_found` or `precondition_failed`. */
export const deleteTask = async (
  deps: TaskDeps,
  id: string,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<void> => {
  const removed = await transact(deps.sql, async (transaction) => {
    const task = await locked(transaction, id, ifMatch);
    await lockPlacesOfFamily(transaction, id);
    const { title, organization_id, state } = task;
    await removeFromQueue(transaction, id);
    await deps.dispatches.deleteOfTask(transaction, id);
    await deleteNotesOfTask(transaction, id);
    await deleteTaskRow(transaction, id);
    await writeMove(transaction, task);
    await appendEvent(transaction, {
      type: "task.deleted",
      organization_id,
      task_id: id,
      actor,
      data: { title, state },
    });
    return task;
  });
  const { current_dispatch_id } = removed;
  if (current_dispatch_id !== null && isLive(removed)) deps.signals.ended([current_dispatch_id]);
};
