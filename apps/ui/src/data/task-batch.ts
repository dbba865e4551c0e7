// Changing many tasks at once (D-39): in pieces the API takes, shown before the answer, taken back where it refuses.
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Client, maxBatchIds, type TaskBatch, type TaskSummary } from "@task-service/contract";
import { problemWords } from "../lib/problem-words.ts";
import { useClient } from "./client-context.tsx";
import { tasksKey } from "./task-data.ts";

/** The same change to some tasks. */
export interface BatchStep {
  ids: readonly string[];
  /** Exactly one of them. */
  change: Pick<TaskBatch, "patch" | "requeue" | "delete">;
  /** What the tasks look like once it is done, shown at once; nothing is shown before the answer without it. */
  shown?: Partial<TaskSummary>;
}

export interface BatchFailure {
  id: string;
  /** Why, for a person. */
  words: string;
}

const piecesOf = ({ ids, change }: BatchStep): TaskBatch[] =>
  Array.from({ length: Math.ceil(ids.length / maxBatchIds) }, (_, piece) => ({
    ...change,
    ids: ids.slice(piece * maxBatchIds, (piece + 1) * maxBatchIds),
  }));

/**
 * Sends the pieces one after the other and returns the tasks that were refused. A request that fails as a whole ends it:
 * what was not sent counts as refused for the same reason. Throws that reason if nothing was sent before it.
 */
export const changeTasks = async (client: Client, steps: readonly BatchStep[]): Promise<BatchFailure[]> => {
  const failures: BatchFailure[] = [];
  const pieces = steps.flatMap(piecesOf);
  for (const [index, piece] of pieces.entries()) {
    try {
      const { items } = await client.changeTasks({ body: piece });
      for (const { id, problem } of items) if (problem) failures.push({ id, words: problem.detail || problem.title });
    } catch (error) {
      if (index === 0) throw error;
      const words = problemWords(error);
      return [...failures, ...pieces.slice(index).flatMap(({ ids }) => ids.map((id) => ({ id, words })))];
    }
  }
  return failures;
};

type Shown = Partial<TaskSummary> & { id: string };
type Repaint = (task: Shown) => Shown;

interface Holder {
  id?: unknown;
  items?: Shown[];
  pages?: Holder[];
}

/** The same data if nothing in it changes, so that nothing is drawn again. */
const repainted = <T extends Holder>(data: T, repaint: Repaint): T => {
  const { items, pages } = data;
  if (items) {
    const next = items.map(repaint);
    return next.some((item, index) => item !== items[index]) ? { ...data, items: next } : data;
  }
  if (pages) {
    const next = pages.map((page) => repainted(page, repaint));
    return next.some((page, index) => page !== pages[index]) ? { ...data, pages: next } : data;
  }
  return typeof data.id === "string" ? (repaint(data as unknown as Shown) as unknown as T) : data;
};

/** When it was read, and whether that failed since, stays as it is: nothing new was heard. */
const repaintTasks = (queries: QueryClient, repaint: Repaint) => {
  for (const query of queries.getQueryCache().findAll({ queryKey: tasksKey })) {
    const shown = query.state.data as Holder | undefined;
    const data = shown && repainted(shown, repaint);
    if (data !== shown) query.setState({ data });
  }
};

type ShownStep = Pick<BatchStep, "ids" | "shown">;

/** Shows what the steps will do, and returns how to take it back for some tasks. */
const showSteps = (queries: QueryClient, steps: readonly ShownStep[]) => {
  const shownOf = new Map(steps.flatMap(({ ids, shown }) => (shown ? ids.map((id) => [id, shown] as const) : [])));
  const before = new Map<string, Partial<TaskSummary>>();
  repaintTasks(queries, (task) => {
    const shown = shownOf.get(task.id);
    if (!shown) return task;
    const fields = Object.keys(shown) as (keyof TaskSummary)[];
    before.set(task.id, Object.fromEntries(fields.map((field) => [field, task[field]])));
    return { ...task, ...shown };
  });
  return (ids: Iterable<string>) => {
    const taken = new Set(ids);
    repaintTasks(queries, (task) => (taken.has(task.id) ? { ...task, ...before.get(task.id) } : task));
  };
};

/** Steps that are shown at once, and taken back for the tasks that `send` returns, or for all if it fails. */
export const useShownChange = <Step extends ShownStep>(
  send: (client: Client, steps: readonly Step[]) => Promise<BatchFailure[]>,
) => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (steps: readonly Step[]) => send(client, steps),
    onMutate: async (steps) => {
      // What is being read may be of before.
      if (steps.some(({ shown }) => shown)) await queries.cancelQueries({ queryKey: tasksKey });
      return showSteps(queries, steps);
    },
    onSuccess: (failures, _steps, takeBack) => takeBack(failures.map(({ id }) => id)),
    onError: (_error, steps, takeBack) => takeBack?.(steps.flatMap(({ ids }) => ids)),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: tasksKey });
    },
  });
};

/** Its data are the tasks that were refused; it fails if none was even tried. */
export const useChangeTasks = () => useShownChange(changeTasks);
