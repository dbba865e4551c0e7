// What can be done with some tasks, each with what it says afterwards and how it is undone.
import { maxPageSize, maxPriority, type TaskSummary } from "@task-service/contract";
import { useClient } from "../../data/client-context.tsx";
import { type BatchStep, useChangeTasks } from "../../data/task-batch.ts";
import { countWord } from "../../lib/task-words.ts";
import { sayDone, sayFailures, sayNothingDone } from "./action-notices.tsx";

/** The parts of a task that its actions need. */
export type ActionTask = Pick<
  TaskSummary,
  | "id"
  | "title"
  | "priority"
  | "state"
  | "assignee_type"
  | "assignee"
  | "agent_type"
  | "needs_attention"
  | "dispatch_ended_at"
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

const idsOf = (tasks: readonly ActionTask[]) => tasks.map(({ id }) => id);

/** Steps that give each task back what it had. */
const stepsBack = <T>(
  tasks: readonly ActionTask[],
  read: (task: ActionTask) => T,
  step: (value: T) => Omit<BatchStep, "ids">,
) =>
  [...Map.groupBy(tasks, (task) => JSON.stringify(read(task))).values()].flatMap((group) =>
    group[0] ? [{ ids: idsOf(group), ...step(read(group[0])) }] : [],
  );

const priorityStep = (priority: number) => ({ change: { patch: { priority } }, shown: { priority } });

const assignStep = ({ assignee_type, assignee, agent_type }: Assignment) => ({
  change: { patch: { assignee_type, assignee } },
  shown: { assignee_type, assignee, agent_type },
});

const assignmentOf = ({ assignee_type, assignee, agent_type }: ActionTask): Assignment => ({
  assignee_type,
  assignee,
  agent_type,
});

/** `onFailed` hears which tasks an action did not change, also when there are none. */
export const useTaskActions = (onFailed?: (ids: readonly string[]) => void): TaskActions => {
  const client = useClient();
  const { mutateAsync } = useChangeTasks();

  const run = async (tasks: readonly ActionTask[], steps: readonly BatchStep[], done: string, back?: BatchStep[]) => {
    if (tasks.length === 0) return;
    try {
      const failures = await mutateAsync(steps);
      onFailed?.(failures.map(({ id }) => id));
      const failed = new Set(failures.map(({ id }) => id));
      if (failures.length < tasks.length) {
        const undone = back?.map((step) => ({ ...step, ids: step.ids.filter((id) => !failed.has(id)) }));
        const left = tasks.filter(({ id }) => !failed.has(id));
        sayDone(
          left,
          done,
          undone && (() => run(left, undone, left.length === 1 ? "is as it was" : "are as they were")),
        );
      }
      if (failures.length > 0) sayFailures(failures, tasks);
    } catch (error) {
      onFailed?.(idsOf(tasks));
      sayNothingDone(error);
    }
  };

  const setPriority = (
    tasks: readonly ActionTask[],
    priority: number,
    done = `set to priority ${countWord(priority)}`,
  ) =>
    run(
      tasks,
      [{ ids: idsOf(tasks), ...priorityStep(priority) }],
      done,
      stepsBack(tasks, (task) => task.priority, priorityStep),
    );

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
      run(
        tasks,
        [{ ids: idsOf(tasks), ...assignStep(to) }],
        `assigned to ${to.agent_type?.name ?? to.assignee ?? "nobody"}`,
        stepsBack(tasks, assignmentOf, assignStep),
      ),
    requeue: (tasks) => run(tasks, [{ ids: idsOf(tasks), change: { requeue: {} } }], "returned to the queue"),
    remove: (tasks) => run(tasks, [{ ids: idsOf(tasks), change: { delete: true } }], "deleted"),
  };
};
