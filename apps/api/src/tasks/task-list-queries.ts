// Lists of tasks (D-16): every filter has an index, every page begins at a key.
import type { TaskFilters, TaskSummary } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";
import { isUuid } from "../platform/identifiers.ts";
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

/** Of `t`. */
const where = (sql: Queryable, { state, organization, assignee, parent_id }: ResolvedFilters) => sql`
  ${state === undefined ? sql`` : sql`and t.state = ${state}`}
  ${organization === undefined ? sql`` : isAnyOf(sql, sql`t.organization_id`, organization, sql`uuid`)}
  ${assignee === undefined ? sql`` : isAnyOf(sql, sql`t.assignee`, assignee, sql`text`)}
  ${parent_id === undefined ? sql`` : sql`and t.parent_id = ${parent_id}`}
`;

/** Of `r`, a place in the queue, which knows organization and agent type; no person's name is a UUID of one. */
const whereInQueue = (sql: Queryable, { organization, assignee }: ResolvedFilters) => sql`
  ${organization === undefined ? sql`` : isAnyOf(sql, sql`r.organization_id`, organization, sql`uuid`)}
  ${assignee === undefined ? sql`` : isAnyOf(sql, sql`r.agent_type_id`, assignee.filter(isUuid), sql`uuid`)}
`;

interface CreationPage {
  isDescending: boolean;
  /** The last id of the page before. */
  after: string | undefined;
  rows: number;
}

const direction = (sql: Queryable, { isDescending }: CreationPage) => (isDescending ? sql`desc` : sql`asc`);

const inOrder = (sql: Queryable, page: CreationPage, id: ReturnType<Queryable>) => sql`
  ${page.after === undefined ? sql`` : page.isDescending ? sql`and ${id} < ${page.after}` : sql`and ${id} > ${page.after}`}
  order by ${id} ${direction(sql, page)}
`;

// What waits stands in the queue, or outside of it when it is nobody's or a person's.
const queuedIds = (sql: Queryable, filters: ResolvedFilters, page: CreationPage) => sql`
  (select r.task_id as id from ready r where true ${whereInQueue(sql, filters)}
    ${inOrder(sql, page, sql`r.task_id`)} limit ${page.rows})
  union all
  (select t.id from tasks t where t.agent_type_id is null ${where(sql, filters)}
    ${inOrder(sql, page, sql`t.id`)} limit ${page.rows})
`;

// A task that is dispatched has a dispatch, but one that has a dispatch may be queued again. Each is looked up by its
// id (offset 0): a plan that merges the two tables reads all the tasks that were never dispatched.
const dispatchedIds = (sql: Queryable, filters: ResolvedFilters, page: CreationPage) => sql`
  select once.id from (select distinct d.task_id as id from dispatches d where true ${inOrder(sql, page, sql`d.task_id`)}) once
  cross join lateral (select from tasks t where t.id = once.id ${where(sql, filters)} offset 0) is_dispatched
  order by once.id ${direction(sql, page)} limit ${page.rows}
`;

const manyQueued = 20_000;

/** Whether so many wait that looking for the dispatched ones among them would take long. In an order, so that an index is read. */
const hasManyQueued = async (sql: Queryable, filters: ResolvedFilters): Promise<boolean> => {
  if (filters.assignee?.every((one) => !isUuid(one))) return false;
  const [another] = await sql`
    select from ready r where true ${whereInQueue(sql, filters)} order by r.priority, r.queue_seq offset ${manyQueued} limit 1
  `;
  return another !== undefined;
};

/**
 * Where to look for the tasks of a page: no index knows their state (a claim would have to write it), but the queue
 * knows what is queued, and the dispatches what may be dispatched. The tasks themselves are read only where few of
 * another state can lie between: the follow-ups of one, or what a short queue leaves.
 */
const placeToLook = async (sql: Queryable, filters: ResolvedFilters): Promise<"tasks" | "queue" | "dispatches"> => {
  const { state, organization, assignee, parent_id } = filters;
  if (state === undefined || parent_id !== undefined) return "tasks";
  if (state === "queued") return "queue";
  const isNarrowed = organization !== undefined || assignee !== undefined;
  return isNarrowed && !(await hasManyQueued(sql, filters)) ? "tasks" : "dispatches";
};

/** By creation: the id tells it. */
export const listTasksByCreation = async (
  sql: Queryable,
  filters: ResolvedFilters,
  page: CreationPage,
): Promise<TaskSummary[]> => {
  const from = {
    tasks: () => sql`tasks t`,
    queue: () => sql`(${queuedIds(sql, filters, page)}) found join tasks t on t.id = found.id`,
    dispatches: () => sql`(${dispatchedIds(sql, filters, page)}) found join tasks t on t.id = found.id`,
  }[await placeToLook(sql, filters)];
  return sql<TaskSummary[]>`
    select ${taskSummaryColumns(sql)} from ${from()} ${taskJoins(sql)}
    where true ${where(sql, filters)} ${inOrder(sql, page, sql`t.id`)} limit ${page.rows}
  `;
};

export interface QueuedTask extends TaskSummary {
  queue_seq: number;
}

/** The queue in the order it is dispatched (D-18): what waits for an executor, and nothing else. */
export const listQueue = async (
  sql: Queryable,
  filters: ResolvedFilters,
  { after, rows }: { after: readonly [priority: number, queueSeq: number] | undefined; rows: number },
): Promise<QueuedTask[]> => {
  if (filters.state === "dispatched") return [];
  return sql<QueuedTask[]>`
    select ${taskSummaryColumns(sql)}, r.queue_seq from ready r join tasks t on t.id = r.task_id ${taskJoins(sql)}
    where true ${whereInQueue(sql, filters)}
      ${filters.parent_id === undefined ? sql`` : sql`and t.parent_id = ${filters.parent_id}`}
      ${after === undefined ? sql`` : sql`and (r.priority, r.queue_seq) > (${-after[0]}, ${after[1]})`}
    order by r.priority, r.queue_seq limit ${rows}
  `;
};
