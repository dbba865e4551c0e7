// A long list of which only some stretches are known: how many rows there are, and those that have been read.
import type { TaskSummary } from "@task-service/contract";

export interface SparseRows {
  /** How many rows there are, known or not. */
  total: number;
  /** Those that are known, by index from 0. */
  rows: ReadonlyMap<number, TaskSummary>;
}

/** From pages of equal size, by their number from 0. */
export const rowsOfPages = (
  pages: Iterable<readonly [page: number, tasks: readonly TaskSummary[]]>,
  pageSize: number,
  total: number,
): SparseRows => {
  const rows = new Map<number, TaskSummary>();
  for (const [page, tasks] of pages)
    for (const [index, task] of tasks.entries()) rows.set(page * pageSize + index, task);
  return { total, rows };
};

/** From a list that is known up to some row; `unread` rows are shown to come. */
export const rowsOfList = (tasks: readonly TaskSummary[], unread: number): SparseRows => ({
  total: tasks.length + unread,
  rows: new Map(tasks.entries()),
});

/** What is known of either, the first one first, no further than `reach` rows from one of them. */
export const unionAbout = (index: number, reach: number, first: SparseRows, second: SparseRows): SparseRows => {
  const near = [...second.rows, ...first.rows].filter(([at]) => Math.abs(at - index) <= reach);
  return { total: first.total, rows: new Map(near) };
};
