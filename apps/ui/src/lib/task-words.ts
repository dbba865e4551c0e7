// Says a task's state and the end of a dispatch in the words the screens use.
import type { Outcome, TaskSummary } from "@task-service/contract";

type Stated = Pick<TaskSummary, "state" | "assignee_type" | "needs_attention" | "dispatch_ended_at">;

/** Two or three words for a list or a badge. */
export const stateWord = (task: Stated): string => {
  if (task.needs_attention) return "Needs attention";
  if (task.state === "dispatched") return task.dispatch_ended_at ? "Dispatched" : "Running";
  return task.assignee_type === "agent" ? "Queued" : "Not in the queue";
};

const outcomeWords: Record<Outcome, string> = {
  finished: "Worker finished",
  released: "Given back to the queue",
  requeued: "Requeued",
  expired: "Returned to the queue: lease expired",
  lost: "Returned to the queue: lost by its executor",
  disconnected: "Returned to the queue: executor disconnected",
};

export const outcomeWord = (outcome: Outcome | null): string => (outcome ? outcomeWords[outcome] : "Running");

const countFormat = new Intl.NumberFormat("en");

/** A count with its thousands apart. */
export const countWord = (count: number): string => countFormat.format(count);
