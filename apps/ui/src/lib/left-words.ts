// Says what became of a task that is not in its list any more.
import type { TaskSummary } from "@task-service/contract";
import { stateWord } from "./task-words.ts";

/** `now` is the task as it is, null once it is deleted, undefined while nobody has told; `before` as it stood in the list. */
export const leftWord = (before: TaskSummary, now: TaskSummary | null | undefined): string => {
  if (now === undefined) return "Left the list";
  if (now === null) return "Deleted";
  if (now.needs_attention) return stateWord(now);
  if (now.state === "dispatched") return now.executor ? `Dispatched to ${now.executor}` : "Dispatched";
  if (now.priority !== before.priority) return `Moves: priority ${now.priority}`;
  if (now.assignee_type === "user") return `Assigned to ${now.assignee}`;
  return now.assignee_type === null ? "Assigned to nobody" : "Moves to another place";
};

/** "3 new, 2 dispatched, 1 deleted", "left" where nobody has told how; empty if nothing happened. */
export const newsWords = (
  newCount: number,
  left: readonly (readonly [TaskSummary["id"], TaskSummary | null | undefined])[],
): string => {
  const dispatched = left.filter(([, now]) => now?.state === "dispatched").length;
  const deleted = left.filter(([, now]) => now === null).length;
  const unknown = left.filter(([, now]) => now === undefined).length;
  const moved = left.length - dispatched - deleted - unknown;
  return [
    newCount > 0 && `${newCount} new`,
    dispatched > 0 && `${dispatched} dispatched`,
    deleted > 0 && `${deleted} deleted`,
    moved > 0 && `${moved} moved`,
    unknown > 0 && `${unknown} left`,
  ]
    .filter(Boolean)
    .join(", ");
};
