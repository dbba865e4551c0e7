// The tasks table and its queue rows in ready, except for claims and the ends of dispatches (the room `dispatch` owns those).
import type { Actor, AssigneeType, GitLink, Task } from "@task-service/contract";
import { type BindingKey, bindKeys } from "../idempotency/idempotency-queries.ts";
import { type Queryable, RetryTransaction, type Transaction } from "../platform/database.ts";
import { RequestProblem } from "../platform/problems.ts";
import { writeMoves } from "./count-queries.ts";
import { taskColumns, taskJoins } from "./task-columns.ts";
import { removeLabels, replaceLabels, writeLabels } from "./task-label-queries.ts";

/** Whether a write failed because the parent, organization or agent type it refers to is gone. */
export const namesSomethingGone = (error: unknown): boolean => (error as { code?: string }).code === "23503";

export const findTask = async (sql: Queryable, id: string): Promise<Task | undefined> => {
  const [task] = await sql<Task[]>`select ${taskColumns(sql)} from tasks t ${taskJoins(sql)} where t.id = ${id}`;
  return task;
};

/** Those of the tasks that exist, by their ids; at creation that is their order. */
export const findTasks = (sql: Queryable, ids: readonly string[]): Promise<Task[]> => sql<Task[]>`
  select ${taskColumns(sql)} from tasks t ${taskJoins(sql)} where t.id = any(${ids}::uuid[]) order by t.id
`;

export interface NewTask {
  id: string;
  organization_id: string;
  title: string;
  prompt: string;
  priority: number;
  assignee_type: AssigneeType | null;
  assignee: string | null;
  labels: string[];
  parent_id: string | null;
  root_id: string;
  depth: number;
  git_link: GitLink | null;
  created_by: Actor;
  created_at: string;
}

// Those without a key, and those whose key was bound to them just now.
const isFree = (sql: Queryable, keys: readonly BindingKey[]) => sql`
  id <> all(${keys.flatMap(({ resource_ids }) => resource_ids)}::uuid[]) or id in (select unnest(resource_ids) from free)
`;

export interface InsertOptions {
  /** What is bound with the tasks: those of a key that is bound already are not created. */
  keys?: readonly BindingKey[];
  /** The statement fails (55P03) when it has waited so long for a lock. */
  patienceMs?: number | undefined;
}

/**
 * Creates the tasks, the places of those that an agent type does, and their events, in one statement, and returns them
 * in the order given; their ids must grow in it, as their `queue_seq` will.
 */
export const insertTasks = (
  sql: Queryable,
  tasks: readonly NewTask[],
  { keys = [], patienceMs }: InsertOptions = {},
): Promise<Task[]> => sql<Task[]>`
  with ${keys.length === 0 ? sql`` : sql`free as (${bindKeys(sql, keys)}),`} given as (
    select *, case when assignee_type = 'agent' then nextval('queue_seq') end as queue_seq from (
      select task.* from
        ${patienceMs === undefined ? sql`` : sql`set_config('lock_timeout', ${`${patienceMs}ms`}, true),`}
        json_to_recordset(${JSON.stringify(tasks)}::text::json) as task (
          id uuid, organization_id uuid, title text, prompt text, priority int, assignee_type text, assignee text,
          labels text[], parent_id uuid, root_id uuid, depth int, git_link jsonb, created_by jsonb, created_at timestamptz
        )
      order by id
    ) in_order
  ), t as (
    insert into tasks (id, organization_id, title, prompt, priority, assignee_type, assignee, queue_seq, labels,
      parent_id, root_id, depth, git_link, created_by, created_at)
    select id, organization_id, title, prompt, priority, assignee_type, assignee, queue_seq, labels,
      parent_id, root_id, depth, git_link, created_by, created_at
    from given
    ${keys.length === 0 ? sql`` : sql`where ${isFree(sql, keys)}`}
    returning *
  ), place as (
    insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id)
    select -priority, queue_seq, id, organization_id, agent_type_id from t where agent_type_id is not null
  ), event as (
    insert into events (type, organization_id, task_id, actor, data)
    select 'task.created', organization_id, id, created_by,
      jsonb_build_object('title', title, 'priority', priority, 'assignee_type', assignee_type, 'assignee', assignee, 'parent_id', parent_id)
    from t
  ), move as (${writeMoves(sql, sql`t`, { queued: sql`count(*)` })})
  ${tasks.every(({ labels }) => labels.length === 0) ? sql`` : sql`, label as (${writeLabels(sql, sql`t`)})`}
  select ${taskColumns(sql)} from t ${taskJoins(sql)} order by t.id
`;

/** A task with what the resource does not show, locked until the transaction ends. */
export interface LockedTask extends Task {
  queue_seq: number | null;
}

/**
 * Locks a task and its place in the queue, in the one order that claims keep to: ready, then tasks.
 * Undefined if there is no such task.
 */
export const lockTask = async (sql: Transaction, id: string): Promise<LockedTask | undefined> => {
  const [place] = await sql`select from ready where task_id = ${id} for update`;
  // Locked before it is read: a row that was waited for is as it is now, what is joined to it as it was before the wait.
  await sql`select from tasks where id = ${id} for update`;
  const [task] = await sql<LockedTask[]>`
    select ${taskColumns(sql)}, t.queue_seq from tasks t ${taskJoins(sql)} where t.id = ${id}
  `;
  // It returned to the queue between the two statements: its place has to be locked first.
  const isInQueue = task?.state === "queued" && task.assignee_type === "agent";
  if (isInQueue && !place) throw new RetryTransaction();
  return task;
};

/** Takes a task out of the queue if it is there. */
export const removeFromQueue = async (sql: Transaction, id: string): Promise<void> => {
  await sql`delete from ready where task_id = ${id}`;
};

/** Puts a queued task of an agent type back at its place; its `queue_seq` is its own for life. */
export const returnToQueue = async (sql: Transaction, id: string): Promise<void> => {
  await sql`
    insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id, returned)
    select -priority, queue_seq, id, organization_id, agent_type_id, true from tasks
    where id = ${id} and state = 'queued' and agent_type_id is not null
  `;
};

export interface TaskValues {
  title?: string;
  prompt?: string;
  priority?: number;
  assignee_type?: AssigneeType | null;
  assignee?: string | null;
  organization_id?: string;
  labels?: string[];
  git_link?: GitLink | null;
  git_state?: null;
  result?: string | null;
  input_tokens?: number;
  output_tokens?: number;
}

/**
 * Sets `values` and raises the version; first assigned to an agent type, the task gets its `queue_seq`.
 * Has the transaction begun again if what `values` refer to was deleted since it was looked up.
 */
export const updateTaskRow = async (sql: Transaction, id: string, values: TaskValues): Promise<void> => {
  const { git_link, ...plain } = values;
  const columns = { ...plain, ...(git_link !== undefined && { git_link: git_link && sql.json({ ...git_link }) }) };
  const assigns = values.assignee_type === "agent";
  if (values.labels) await replaceLabels(sql, id, values.labels);
  await sql`
    update tasks set ${sql(columns as never)}, version = version + 1, updated_at = now()
      ${assigns ? sql`, queue_seq = coalesce(queue_seq, nextval('queue_seq'))` : sql``}
    where id = ${id}
  `.catch((error: unknown) => {
    throw namesSomethingGone(error) ? new RetryTransaction() : error;
  });
};

/** Locks the places of a task and of its follow-ups, in the order of claims, before any task is locked. */
export const lockPlacesOfFamily = async (sql: Transaction, id: string): Promise<void> => {
  await sql`
    select from ready where task_id = ${id} or task_id in (select id from tasks where parent_id = ${id})
    order by priority, queue_seq for update
  `;
};

/** Deletes a task; its follow-ups stay, without a parent. Its dispatches must be gone. */
export const deleteTaskRow = async (sql: Transaction, id: string): Promise<void> => {
  await sql`update tasks set parent_id = null where parent_id = ${id}`;
  await removeLabels(sql, sql`t.id = ${id}`);
  await sql`delete from tasks where id = ${id}`;
};

/**
 * Throws `organization_in_use` while a task of the organization is queued or has a live dispatch.
 * If not, none can be until the transaction ends.
 */
export const refuseTasksUnderWay = async (sql: Transaction, organizationId: string): Promise<void> => {
  const underWay = await sql`
    with held as (
      select state, dispatch_ended_at from tasks where organization_id = ${organizationId} order by id for update
    )
    select from held where state = 'queued' or dispatch_ended_at is null limit 1
  `;
  if (underWay.length === 0) return;
  const detail = "The organization has tasks that are queued or being worked on; delete or finish them first.";
  throw new RequestProblem("organization_in_use", detail);
};

/** Deletes an organization's tasks; their dispatches must be gone. */
export const deleteTasksOf = async (sql: Transaction, organizationId: string): Promise<void> => {
  await sql`
    update tasks set parent_id = null
    from tasks parent where parent.id = tasks.parent_id and parent.organization_id = ${organizationId}
  `;
  await removeLabels(sql, sql`t.organization_id = ${organizationId}`);
  await sql`
    with gone as (delete from tasks where organization_id = ${organizationId} returning organization_id, agent_type_id, priority)
    ${writeMoves(sql, sql`gone`, { ended: sql`-count(*)` })}
  `;
};
