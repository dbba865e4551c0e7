// Single creates, many at once: those that arrive while a batch is under way form the next one. An idle service waits for nobody.
import type { Task } from "@task-service/contract";
import { type CreationDeps, createTogether, persist } from "./task-creation.ts";
import type { Submission } from "./task-drafts.ts";

const batchesUnderWay = 2;
const maxBatchTasks = 100;
const maxBatchCharacters = 1_048_576;
/** How long a batch waits for a lock that one of its tasks needs. */
const patienceMs = 100;
/** A backend that never answers keeps the callers of its batch, not all who come after them; above the statement timeout. */
const maxBatchMs = 6000;

interface Waiting extends Submission {
  resolve(task: Task | undefined): void;
  reject(error: unknown): void;
}

const takeBatch = (waiting: Waiting[]): Waiting[] => {
  let characters = 0;
  const end = waiting.findIndex(({ request }, index) => {
    characters += request.prompt.length;
    return index === maxBatchTasks || (index > 0 && characters > maxBatchCharacters);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
};

// An error that PostgreSQL answers undid the whole statement; of these, server gone, starting, stopping, full or slow concerns everybody.
const concernsOneTask = (error: unknown): boolean => {
  const { name, code = "" } = error as { name?: string; code?: string };
  return name === "PostgresError" && !/^(?:08|25|53|57)/.test(code);
};

// Begins as impatient as the batch: the connections that the locked ones wait on are needed by the others.
const createAlone = (deps: CreationDeps, submission: Submission): Promise<Task | undefined> =>
  persist(async (attempt) => {
    const [outcome] = await createTogether(deps, [submission], patienceMs * 5 ** (attempt - 1));
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });

const createBatch = async (deps: CreationDeps, batch: readonly Waiting[]): Promise<void> => {
  try {
    const outcomes = await createTogether(deps, batch, patienceMs);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
  } catch (error) {
    const isShared = !concernsOneTask(error);
    for (const submission of batch) {
      if (isShared) submission.reject(error);
      else createAlone(deps, submission).then(submission.resolve, submission.reject);
    }
  }
};

/**
 * Creates one task, in a batch with others; undefined if its key is bound already. Throws `invalid_request`,
 * `unknown_assignee`, `inactive_agent_type` or `follow_up_limit`.
 */
export type CreateTask = (submission: Submission) => Promise<Task | undefined>;

export const createBatching = (deps: CreationDeps): CreateTask => {
  const waiting: Waiting[] = [];
  let underWay = 0;

  const startNext = (): void => {
    if (underWay === batchesUnderWay || waiting.length === 0) return;
    underWay++;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const deadline = setTimeout(end, maxBatchMs);
    void createBatch(deps, takeBatch(waiting)).then(end);
    void over.then(() => {
      clearTimeout(deadline);
      underWay--;
      startNext();
    });
  };

  return (submission) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...submission, resolve, reject });
      startNext();
    });
};
