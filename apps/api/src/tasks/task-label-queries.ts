// The task_labels table: each task's labels once more, in the order that lists by label need.
import type { Fragment, Queryable, Transaction } from "../platform/database.ts";

/** A statement, to stand in the one that creates the tasks `created`. */
export const writeLabels = (sql: Queryable, created: Fragment): Fragment =>
  sql`insert into task_labels (label, task_id) select unnest(labels), id from ${created}`;

/** Removes the labels of the tasks for whose row `t` the condition holds: before they lose them, or are deleted. */
export const removeLabels = async (sql: Transaction, condition: Fragment): Promise<void> => {
  await sql`
    delete from task_labels l using tasks t cross join lateral unnest(t.labels) as had (label)
    where ${condition} and l.label = had.label and l.task_id = t.id
  `;
};

/** Gives a locked task these labels in place of those it has. */
export const replaceLabels = async (sql: Transaction, taskId: string, labels: readonly string[]): Promise<void> => {
  await removeLabels(sql, sql`t.id = ${taskId}`);
  await sql`insert into task_labels (label, task_id) select unnest(${[...labels]}::text[]), ${taskId}`;
};
