// Taking back what was set on tasks, each by its own guard: what somebody has set anew since is left alone (D-13).
import { type Client, ProblemError, type Task, type TaskPatch, type TaskSummary } from "@task-service/contract";
import { problemWords } from "../lib/problem-words.ts";
import { type BatchFailure, useShownChange } from "./task-batch.ts";

type Fields = Pick<TaskPatch, "priority" | "assignee_type" | "assignee">;

/** What is to be taken back from some tasks. */
export interface UndoStep {
  ids: readonly string[];
  /** What was set, and what stood there before. */
  set: Fields;
  back: Fields;
  /** What the tasks look like once it is done. */
  shown: Partial<TaskSummary>;
}

/** Beside the event stream and what the screen asks for, of the six connections that a browser opens. */
const atOnce = 3;
/** An unrelated change may come between reading a task and writing it, but hardly as often in a row. */
const maxTries = 3;

const changedWords = "Somebody has changed it since. It stays as it is now.";

const holds = (task: Task, fields: Fields): boolean =>
  (Object.keys(fields) as (keyof Fields)[]).every((field) => task[field] === fields[field]);

/** Resolves to why it was not done, or to null. */
const undoOne = async (client: Client, id: string, { set, back }: UndoStep): Promise<string | null> => {
  try {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const task = await client.getTask({ params: { id } });
      if (!holds(task, set)) return changedWords;
      try {
        await client.updateTask({ params: { id }, headers: { "if-match": `"${task.version}"` }, body: back });
        return null;
      } catch (error) {
        if (!(error instanceof ProblemError && error.code === "precondition_failed")) throw error;
      }
    }
    return changedWords;
  } catch (error) {
    return problemWords(error);
  }
};

/**
 * Gives each task back what it had if it still has what was set, whatever else of it changed. Returns those that were left
 * as they are.
 */
export const undoSteps = async (client: Client, steps: readonly UndoStep[]): Promise<BatchFailure[]> => {
  const failures: BatchFailure[] = [];
  const left = steps.flatMap((step) => step.ids.map((id) => ({ id, step }))).values();
  const work = async () => {
    for (const { id, step } of left) {
      const words = await undoOne(client, id, step);
      if (words !== null) failures.push({ id, words });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failures;
};

/** Its data are the tasks that were left as they are. */
export const useUndo = () => useShownChange(undoSteps);
