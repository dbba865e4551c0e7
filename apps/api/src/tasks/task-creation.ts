// Creating tasks (D-12): looks up what the requests refer to, then one statement makes all of them.
import type { Task } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import { type QueueSignals, signalQueued } from "./queue-signals.ts";
import { draftTask, type Submission } from "./task-drafts.ts";
import { insertTasks, type NewTask } from "./task-queries.ts";
import { findReferences } from "./task-references.ts";

export interface CreationDeps {
  sql: Sql;
  gitUrl: string;
  signals: QueueSignals;
  hit: Hit;
}

/** Drafts each task by itself: an error stands in the place of what cannot be created. */
export const draftTasks = async (
  { sql, gitUrl }: CreationDeps,
  submissions: readonly Submission[],
): Promise<(NewTask | Error)[]> => {
  const requests = submissions.map(({ request }) => request);
  const references = await findReferences(sql, requests);
  return submissions.map((submission) => {
    try {
      return draftTask(gitUrl, references, submission);
    } catch (error) {
      return error as Error;
    }
  });
};

export const isSound = (draft: NewTask | Error): draft is NewTask => !(draft instanceof Error);

/** Creates all of the drafts, in their order, and tells who waits for them. `patienceMs` as in {@link insertTasks}. */
export const createDrafted = async (
  { sql, signals, hit }: CreationDeps,
  drafts: readonly NewTask[],
  patienceMs?: number,
): Promise<Task[]> => {
  if (drafts.length === 0) return [];
  const tasks = await insertTasks(sql, drafts, patienceMs);
  signalQueued(signals, tasks);
  await hit("create-committed");
  return tasks;
};

/** Creates what can be created, together; answers each submission with its task or its error, in their order. */
export const createTogether = async (
  deps: CreationDeps,
  submissions: readonly Submission[],
  patienceMs?: number,
): Promise<(Task | Error)[]> => {
  const drafts = await draftTasks(deps, submissions);
  const tasks = (await createDrafted(deps, drafts.filter(isSound), patienceMs)).values();
  return drafts.map((draft) =>
    draft instanceof Error ? draft : (tasks.next().value ?? new Error("a task is missing")),
  );
};

// Something was deleted after it was looked up, or is locked, or PostgreSQL asks for another attempt (deadlock).
const curable = new Set(["23503", "40001", "40P01", "55P03"]);

/** Does `work` up to three times, as long as another look at the database may cure what fails. */
export const persist = async <T>(work: (attempt: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === 3 || !curable.has((error as { code?: string }).code ?? "")) throw error;
    }
  }
};
