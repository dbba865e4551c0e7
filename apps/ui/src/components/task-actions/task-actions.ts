// What can be done with some tasks, each with what it says afterwards and how it is undone.
import { maxPageSize, maxPriority, type TaskSummary } from "@task-service/contract";
import { useClient } from "../../data/client-context.tsx";
import { type BatchFailure, type BatchStep, useChangeTasks } from "../../data/task-batch.ts";
import { type UndoStep, useUndo } from "../../data/task-undo.ts";
import { countWord } from "../../lib/task-words.ts";
import { sayDone, sayFailures, sayNothingDone, sayNotUndone } from "./action-notices.tsx";

/** The parts of a task that its actions need. */
export type ActionTask = Pick<
  TaskSummary,
  "id" | "title" | "priority" | "state" | "assignee_type" | "assignee" | "agent_type" | "dispatch_ended_at"
>;

export type Assignment = Pick<TaskSummary, "assignee_type" | "assignee" | "agent_type">;

export interface TaskActions {
  setPriority: (tasks: readonly ActionTask[], priority: number) => Promise<void>;
  /** One above the highest priority in the queue. */
  bumpToTop: (tasks: readonly ActionTask[]) => Promise<void>;
  assign: (tasks: readonly ActionTask[], to: Assignment) => Promise<void>;
  /** This and the next do not ask: whoever calls them has asked. */
  requeue: (tasks: readonly ActionTask[]) => Promise<void>;
  remove: (tasks: readonly ActionTask[]) => Promise<void>;
}

const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

const without = (tasks: readonly ActionTask[], left: readonly BatchFailure[]) => {
  const ids = new Set(idsOf(left));
  return tasks.filter(({ id }) => !ids.has(id));
};

/** What can be set on tasks and taken back, and how it looks. */
type Setting = Pick<UndoStep, "set" | "shown">;

const prioritySetting = ({ priority }: Pick<ActionTask, "priority">): Setting => ({
  set: { priority },
  shown: { priority },
});

const assignmentSetting = ({ assignee_type, assignee, agent_type }: Assignment): Setting => ({
  set: { assignee_type, assignee },
  shown: { assignee_type, assignee, agent_type },
});

/** Gives each task back what it had before it was set `to` something else. */
const undoOf = (tasks: readonly ActionTask[], to: Setting, read: (task: ActionTask) => Setting): UndoStep[] => {
  const keyOf = ({ set }: Setting) => JSON.stringify(set);
  const groups = Map.groupBy(tasks, (task) => keyOf(read(task)));
  groups.delete(keyOf(to));
  return [...groups.values()].flatMap((group) => {
    if (!group[0]) return [];
    const { set: back, shown } = read(group[0]);
    return [{ ids: idsOf(group), set: to.set, back, shown }];
  });
};

/** `onFailed` hears which tasks an action did not change, also when there are none. */
export const useTaskActions = (onFailed?: (ids: readonly string[]) => void): TaskActions => {
  const client = useClient();
  const { mutateAsync: change } = useChangeTasks();
  const { mutateAsync: takeBack } = useUndo();

  const undo = async (tasks: readonly ActionTask[], steps: readonly UndoStep[]) => {
    const failures = await takeBack(steps);
    const left = without(tasks, failures);
    if (left.length > 0) sayDone(left, left.length === 1 ? "is as it was" : "are as they were");
    if (failures.length > 0) sayNotUndone(failures, tasks);
  };

  const run = async (
    tasks: readonly ActionTask[],
    steps: readonly BatchStep[],
    done: string,
    back: UndoStep[] = [],
  ) => {
    if (tasks.length === 0) return;
    try {
      const failures = await change(steps);
      onFailed?.(idsOf(failures));
      const left = without(tasks, failures);
      if (left.length > 0) {
        const ids = new Set(idsOf(left));
        const undone = back.map((step) => ({ ...step, ids: step.ids.filter((id) => ids.has(id)) }));
        sayDone(left, done, undone.some((step) => step.ids.length > 0) ? () => undo(left, undone) : undefined);
      }
      if (failures.length > 0) sayFailures(failures, tasks);
    } catch (error) {
      onFailed?.(idsOf(tasks));
      sayNothingDone(error);
    }
  };

  const put = (tasks: readonly ActionTask[], to: Setting, read: (task: ActionTask) => Setting, done: string) =>
    run(tasks, [{ ids: idsOf(tasks), change: { patch: to.set }, shown: to.shown }], done, undoOf(tasks, to, read));

  const setPriority = (
    tasks: readonly ActionTask[],
    priority: number,
    done = `set to priority ${countWord(priority)}`,
  ) => put(tasks, prioritySetting({ priority }), prioritySetting, done);

  const bumpToTop = async (tasks: readonly ActionTask[]) => {
    const limit = Math.min(tasks.length, maxPageSize);
    const ids = new Set(idsOf(tasks));
    const head = await client.listTasks({ query: { sort: "queue", limit } }).catch((error: unknown) => {
      sayNothingDone(error);
      return null;
    });
    if (!head) return;
    const { items } = head;
    const first = items.slice(0, tasks.length);
    if (first.length === tasks.length && first.every(({ id }) => ids.has(id)))
      return sayDone(tasks, `${tasks.length === 1 ? "is" : "are"} at the top of the queue already`);
    const highest = items[0]?.priority ?? 0;
    if (highest >= maxPriority)
      return setPriority(
        tasks,
        maxPriority,
        `set to ${countWord(maxPriority)}, the highest priority there is: what has it too and came first stays ahead`,
      );
    return setPriority(tasks, highest + 1, `bumped to the top, priority ${countWord(highest + 1)}`);
  };

  return {
    setPriority,
    bumpToTop,
    assign: (tasks, to) =>
      put(
        tasks,
        assignmentSetting(to),
        assignmentSetting,
        `assigned to ${to.agent_type?.name ?? to.assignee ?? "nobody"}`,
      ),
    requeue: (tasks) => run(tasks, [{ ids: idsOf(tasks), change: { requeue: {} } }], "returned to the queue"),
    remove: (tasks) => run(tasks, [{ ids: idsOf(tasks), change: { delete: true } }], "deleted"),
  };
};
