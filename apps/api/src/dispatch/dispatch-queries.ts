// The dispatches table: reading it, and what keeps a dispatch alive or removes it. Claims and ends have files of their own.
import type { Dispatch, DispatchDetail, Handoff } from "@task-service/contract";
import { sourceColumn } from "../agents/agent-type-queries.ts";
import type { Fragment, Queryable, Transaction } from "../platform/database.ts";
import { findLatestNotes } from "../tasks/note-queries.ts";
import { findTask } from "../tasks/task-queries.ts";
import type { ReportedUsage, Usage } from "../tasks/task-service.ts";

const columns = (sql: Queryable) => sql`
  d.id, d.task_id, d.organization_id, d.agent_type_id, d.agent_type_version_id, d.executor, d.actor, d.attempt, d.dispatched_at,
  d.lease_seconds, d.lease_expires_at, d.last_heard_at, d.input_tokens, d.output_tokens, d.ended_at, d.outcome, d.reason
`;

/** A dispatch with the persona as it was handed over. */
export const findDispatch = async (sql: Queryable, gitUrl: string, id: string): Promise<DispatchDetail | undefined> => {
  const [row] = await sql<(Dispatch & Omit<DispatchDetail["agent_type"], "id">)[]>`
    select ${columns(sql)}, a.slug, v.name, v.description, v.body, a.is_active, ${sourceColumn(sql, gitUrl)}
    from dispatches d join agent_types a on a.id = d.agent_type_id join agent_type_versions v on v.id = d.agent_type_version_id
    where d.id = ${id}
  `;
  if (!row) return undefined;
  const { slug, name, description, body, is_active, source, ...dispatch } = row;
  return { ...dispatch, agent_type: { id: dispatch.agent_type_id, slug, name, description, body, is_active, source } };
};

/** What an executor is given for a dispatch; undefined if the task is gone. */
export const findHandoff = async (sql: Queryable, gitUrl: string, dispatchId: string): Promise<Handoff | undefined> => {
  const found = await findDispatch(sql, gitUrl, dispatchId);
  const task = found && (await findTask(sql, found.task_id));
  if (!found || !task) return undefined;
  const { agent_type, ...dispatch } = found;
  const notes = await findLatestNotes(sql, [task.id]);
  return { dispatch, task, agent_type, notes: notes.get(task.id) ?? [] };
};

export interface DispatchFilters {
  executor?: string;
  task?: string;
  live?: boolean;
}

/**
 * Dispatches, newest first, from before the dispatch `before` if given. Live ones are all found first and then sorted
 * (`offset 0` makes it so): a walk from the newest would pass over everything since the oldest that is still live.
 */
export const listDispatches = (
  sql: Queryable,
  { executor, task, live }: DispatchFilters,
  before: string | undefined,
  rows: number,
): Promise<Dispatch[]> => sql<Dispatch[]>`
  select ${columns(sql)} from (
    select * from dispatches where true
      ${executor === undefined ? sql`` : sql`and executor = ${executor}`}
      ${task === undefined ? sql`` : sql`and task_id = ${task}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
      ${live === undefined ? sql`` : live ? sql`and ended_at is null offset 0` : sql`and ended_at is not null`}
  ) d
  order by d.id desc limit ${rows}
`;

/**
 * A statement, to be run or to stand in another one, that hears from those of the dispatches (an array of ids) that are
 * live, and returns their ids: their leases begin anew. Locks them in the order of their tasks, as ends do. With
 * `isDueOnly` only from those a third of whose lease is over, and that nobody holds.
 */
export const renewing = (sql: Queryable, ids: Fragment, { isDueOnly = false } = {}): Fragment => sql`
  with live as materialized (
    select id from dispatches where id = any(${ids}) and ended_at is null
      ${isDueOnly ? sql`and last_heard_at < now() - make_interval(secs => lease_seconds / 3.0)` : sql``}
    order by task_id for no key update ${isDueOnly ? sql`skip locked` : sql``}
  )
  update dispatches d set last_heard_at = now(), lease_expires_at = now() + make_interval(secs => lease_seconds)
  from live where d.id = live.id returning d.id
`;

/** Runs {@link renewing} and returns the ids. */
export const renewDispatches = async (
  sql: Queryable,
  ids: readonly string[],
  options?: { isDueOnly: boolean },
): Promise<string[]> => (await renewing(sql, sql`${ids}::uuid[]`, options)).map(({ id }) => id);

/** Sets the totals of a task's latest dispatch and sums up all of them, cut at 2^53-1; undefined if it has none (D-14). */
export const reportUsage = async (
  sql: Transaction,
  taskId: string,
  { input_tokens = null, output_tokens = null }: { [K in keyof Usage]: Usage[K] | null },
): Promise<ReportedUsage | undefined> => {
  const [by] = await sql<ReportedUsage["by"][]>`
    update dispatches
    set input_tokens = coalesce(${input_tokens}, input_tokens), output_tokens = coalesce(${output_tokens}, output_tokens)
    where id = (select id from dispatches where task_id = ${taskId} order by attempt desc limit 1)
    returning agent_type_id, executor
  `;
  if (!by) return undefined;
  const [sums] = await sql<[Required<Usage>]>`
    select least(sum(input_tokens), ${Number.MAX_SAFE_INTEGER})::bigint as input_tokens,
      least(sum(output_tokens), ${Number.MAX_SAFE_INTEGER})::bigint as output_tokens
    from dispatches where task_id = ${taskId}
  `;
  return { sums, by };
};

export const deleteDispatchesOfTask = async (sql: Transaction, taskId: string): Promise<void> => {
  await sql`delete from dispatches where task_id = ${taskId}`;
};

/** Deletes the dispatches of an organization's tasks, and those that carried one of its personas before the task moved away. */
export const deleteDispatchesOfOrganization = async (sql: Transaction, organizationId: string): Promise<void> => {
  await sql`
    delete from dispatches where organization_id = ${organizationId}
      or task_id in (select id from tasks where organization_id = ${organizationId})
  `;
};
