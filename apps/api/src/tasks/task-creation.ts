// Creating tasks (D-12): looks up what the requests refer to, then one statement makes all of them.
import type { GitLink, Task } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import { createFollowUpLimit, type FollowUpLimits } from "./follow-up-limits.ts";
import { type QueueSignals, signalQueued } from "./queue-signals.ts";
import { draftTask, type Submission } from "./task-drafts.ts";
import { type InsertOptions, insertTasks, type NewTask } from "./task-queries.ts";
import { findReferences } from "./task-references.ts";

export interface CreationDeps {
  sql: Sql;
  gitUrl: string;
  limits: FollowUpLimits;
  signals: QueueSignals;
  /** Told what tasks are linked to from now on, after the commit: it must neither delay the caller nor fail. */
  linked: (links: readonly GitLink[]) => void;
  hit: Hit;
}

/** Drafts each task by itself: an error stands in the place of what cannot be created. */
export const draftTasks = async (
  { sql, gitUrl, limits }: CreationDeps,
  submissions: readonly Submission[],
): Promise<(NewTask | Error)[]> => {
  const requests = submissions.map(({ request }) => request);
  const references = await findReferences(sql, requests);
  const admit = await createFollowUpLimit(sql, limits, references.parents.values());
  return submissions.map((submission) => {
    try {
      const draft = draftTask(gitUrl, references, submission);
      admit(draft);
      return draft;
    } catch (error) {
      return error as Error;
    }
  });
};

export const isSound = (draft: NewTask | Error): draft is NewTask => !(draft instanceof Error);

/** Creates all of the drafts whose key is free, in their order, and tells who waits for them. */
export const createDrafted = async (
  { sql, signals, linked, hit }: CreationDeps,
  drafts: readonly NewTask[],
  options?: InsertOptions,
): Promise<Task[]> => {
  if (drafts.length === 0) return [];
  const tasks = await insertTasks(sql, drafts, options);
  signalQueued(signals, tasks);
  linked(tasks.flatMap(({ git_link }) => git_link ?? []));
  await hit("create-committed");
  return tasks;
};

/**
 * Creates what can be created, together; answers each submission, in their order, with its task, its error, or undefined
 * if its key is bound already.
 */
export const createTogether = async (
  deps: CreationDeps,
  submissions: readonly Submission[],
  patienceMs?: number,
): Promise<(Task | Error | undefined)[]> => {
  const drafts = await draftTasks(deps, submissions);
  const keys = drafts.flatMap((draft, index) => {
    const key = submissions[index]?.key;
    return key && isSound(draft) ? [{ ...key, resource_ids: [draft.id] }] : [];
  });
  const tasks = await createDrafted(deps, drafts.filter(isSound), { keys, patienceMs });
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return drafts.map((draft) => (isSound(draft) ? byId.get(draft.id) : draft));
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
