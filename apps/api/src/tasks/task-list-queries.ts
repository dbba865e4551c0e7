// Lists of tasks (D-16): every filter has an index, every page begins at a key.
import type { TaskFilters, TaskSummary } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";
import { taskJoins, taskSummaryColumns } from "./task-columns.ts";

/** The filters of a list with organizations and agent types as ids. */
export interface ResolvedFilters {
  state?: TaskFilters["state"];
  organization?: string[];
  assignee?: string[];
  parent_id?: string;
}

// One value keeps the index's order, where a list of them would not.
const isAnyOf = (
  sql: Queryable,
  column: ReturnType<Queryable>,
  values: readonly string[],
  type: ReturnType<Queryable>,
) =>
  values.length === 1
    ? sql`and ${column} = ${values[0] ?? null}::${type}`
    : sql`and ${column} = any(${values}::${type}[])`;

const where = (sql: Queryable, { state, organization, assignee, parent_id }: ResolvedFilters) => sql`
  ${state === undefined ? sql`` : sql`and t.state = ${state}`}
  ${organization === undefined ? sql`` : isAnyOf(sql, sql`t.organization_id`, organization, sql`uuid`)}
  ${assignee === undefined ? sql`` : isAnyOf(sql, sql`t.assignee`, assignee, sql`text`)}
  ${parent_id === undefined ? sql`` : sql`and t.parent_id = ${parent_id}`}
`;

/** By creation: the id tells it. `after` is the last id of the page before. */
export const listTasksByCreation = (
  sql: Queryable,
  filters: ResolvedFilters,
  { isDescending, after, rows }: { isDescending: boolean; after: string | undefined; rows: number },
): Promise<TaskSummary[]> => sql<TaskSummary[]>`
  select ${taskSummaryColumns(sql)} from tasks t ${taskJoins(sql)}
  where true ${where(sql, filters)}
    ${after === undefined ? sql`` : isDescending ? sql`and t.id < ${after}` : sql`and t.id > ${after}`}
  order by t.id ${isDescending ? sql`desc` : sql`asc`} limit ${rows}
`;

export interface QueuedTask extends TaskSummary {
  queue_seq: number;
}

/** The queue in the order it is dispatched (D-18): what waits for an executor, and nothing else. */
export const listQueue = (
  sql: Queryable,
  filters: ResolvedFilters,
  { after, rows }: { after: readonly [priority: number, queueSeq: number] | undefined; rows: number },
): Promise<QueuedTask[]> => sql<QueuedTask[]>`
  select ${taskSummaryColumns(sql)}, r.queue_seq from ready r join tasks t on t.id = r.task_id ${taskJoins(sql)}
  where true ${where(sql, filters)}
    ${after === undefined ? sql`` : sql`and (r.priority, r.queue_seq) > (${-after[0]}, ${after[1]})`}
  order by r.priority, r.queue_seq limit ${rows}
`;
