// Says a task's state, whether a worker has it, why it waits and the end of a dispatch in the words the screens use.
import {
  maxPositionCount,
  type Outcome,
  type Position,
  type PositionReason,
  type TaskSummary,
} from "@task-service/contract";

type Stated = Pick<TaskSummary, "state" | "assignee_type" | "needs_attention" | "dispatch_ended_at">;

/**
 * A worker has it now: requeueing takes it away, and its prompt and its assignee stay as they are (D-13).
 * Never one that needs attention: its last dispatch has ended.
 */
export const isBeingWorkedOn = ({ state, dispatch_ended_at }: Pick<Stated, "state" | "dispatch_ended_at">): boolean =>
  state === "dispatched" && dispatch_ended_at === null;

/** Two or three words for a list or a badge. */
export const stateWord = (task: Stated): string => {
  if (task.needs_attention) return "Needs attention";
  if (task.state === "dispatched") return isBeingWorkedOn(task) ? "Running" : "Dispatched";
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

/** "1 task", "12 tasks". */
export const tasksWord = (count: number): string => `${countWord(count)} ${count === 1 ? "task" : "tasks"}`;

/** A count that goes no further than the service counts positions: "10,000 or more". */
const atLeast = (count: number): string =>
  count >= maxPositionCount ? `${countWord(maxPositionCount)} or more` : countWord(count);

const reasonWords = (reason: PositionReason, { higher, older }: { higher: number; older: number }): string => {
  switch (reason) {
    case "next":
      return "Next in line";
    case "behind_higher_priority":
      return `Waiting behind ${atLeast(higher)} with higher priority`;
    case "behind_older":
      return `Waiting behind ${atLeast(older)} of the same priority that came first`;
    case "no_executor_seen":
      return "No executor has asked for tasks lately";
    case "no_free_capacity":
      return "Every executor that takes tasks like this is busy";
    case "filtered_out":
      return "The executors there are take other tasks only";
    case "not_assigned_to_agent":
      return "Only tasks of agent types are dispatched";
    case "needs_attention":
      return "Lost too often: it waits until somebody requeues it";
    case "not_queued":
      return "It is not in the queue: it has been dispatched";
  }
};

const waitWords = (seconds: number): string => {
  if (seconds < 60) return "less than a minute";
  if (seconds < 5_400) return `about ${Math.round(seconds / 60)} min`;
  return seconds < 129_600 ? `about ${Math.round(seconds / 3_600)} h` : `about ${Math.round(seconds / 86_400)} days`;
};

export interface PositionWords {
  /** "Number 12 in the queue"; null outside of it. */
  place: string | null;
  /** Why it waits, a short sentence each without its full stop, the most telling first. Never empty. */
  reasons: string[];
  /** "Its turn comes in about 14 min"; null if nothing was dispatched lately. */
  wait: string | null;
  /** "3 that came later went first"; null if none did. */
  overtaken: string | null;
}

/** Says where a task stands and why it waits (D-27). */
export const positionWords = (position: Position): PositionWords => {
  const { position: place, ahead, reasons, overtaken_count, estimated_wait_seconds } = position;
  const total = ahead.reduce((sum, { count }) => sum + count, 0);
  // By priority, the highest first: those of its own are the last, where there are any.
  const older = reasons.includes("behind_older") ? (ahead.at(-1)?.count ?? 0) : 0;
  // What has been dispatched is told by what became of it.
  const told = reasons.length > 1 ? reasons.filter((reason) => reason !== "not_queued") : reasons;
  const isCut = place !== null && place > maxPositionCount;
  return {
    place:
      place === null
        ? null
        : isCut
          ? `Behind ${atLeast(total)} in the queue`
          : `Number ${countWord(place)} in the queue`,
    reasons: told.map((reason) => reasonWords(reason, { higher: total - older, older })),
    wait:
      estimated_wait_seconds === null
        ? null
        : `Its turn comes in ${isCut ? "more than " : ""}${waitWords(estimated_wait_seconds).replace(isCut ? "about " : "", "")}`,
    overtaken: overtaken_count === 0 ? null : `${atLeast(overtaken_count)} that came later went first`,
  };
};
