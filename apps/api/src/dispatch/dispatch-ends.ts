// How a dispatch ends (D-25): one guarded statement; who comes second sees it ended.
import type { Actor, EventType, Outcome } from "@task-service/contract";
import type { Queryable, Transaction } from "../platform/database.ts";
import { writeMoves } from "../tasks/count-queries.ts";
import type { QueueSignals } from "../tasks/queue-signals.ts";

/** The ends that executors and the service itself bring about; requeue has its own function. */
export type EndOutcome = Exclude<Outcome, "requeued">;

export interface DispatchEnd {
  outcome: EndOutcome;
  reason: string | null;
  actor: Actor;
  /** From so many failures in a row on the task is not queued again but needs attention. */
  maxLostDispatches: number;
}

const eventTypes: Record<EndOutcome, EventType> = {
  finished: "task.finished",
  released: "task.released",
  expired: "task.expired",
  lost: "task.lost",
  disconnected: "task.disconnected",
};

// A disconnected caller says nothing of the task; its claim key is free again.
const failuresAfter = (sql: Queryable, outcome: EndOutcome) => {
  if (outcome === "finished") return sql`0`;
  return outcome === "disconnected" ? sql`t.failures` : sql`t.failures + 1`;
};

/** A dispatch that has just ended, and where its task stands. */
export interface EndedDispatch {
  id: string;
  task_id: string;
  organization_id: string;
  /** Null if the task was given to nobody or to a person in the meantime. */
  agent_type_id: string | null;
  is_queued: boolean;
}

/** Tells who waits of what has ended. Call it after the commit. */
export const tellEnded = (signals: QueueSignals, ended: readonly EndedDispatch[]): void => {
  if (ended.length === 0) return;
  signals.ended(ended.map(({ id }) => id));
  const places = ended.flatMap(({ organization_id, agent_type_id, is_queued }) =>
    is_queued && agent_type_id !== null ? [{ organization_id, agent_type_id }] : [],
  );
  if (places.length > 0) signals.queued(places);
};

/** Locks the tasks of all these dispatches in the order that every end keeps, for a transaction with several ends. */
export const lockTasksOf = async (sql: Transaction, ids: readonly string[]): Promise<void> => {
  await sql`
    select from tasks where id in (select task_id from dispatches where id = any(${ids}::uuid[])) order by id for update
  `;
};

/**
 * Ends those of the dispatches that are live, and returns them. A finished task stays dispatched; any other
 * returns to its place in the queue, or needs attention. An expired lease is looked at once more: a renewal
 * that came first saves it; and so is a lost delivery: whoever was heard of since has received it.
 */
export const endDispatches = async (
  sql: Queryable,
  ids: readonly string[],
  { outcome, reason, actor, maxLostDispatches }: DispatchEnd,
): Promise<EndedDispatch[]> => {
  const stays = outcome === "finished" ? sql`true` : sql`counted.failures >= ${maxLostDispatches}`;
  return await sql<EndedDispatch[]>`
    with held as materialized (
      select t.id, d.id as dispatch_id from dispatches d join tasks t on t.id = d.task_id and t.current_dispatch_id = d.id
      where d.id = any(${ids}::uuid[]) order by t.id for update of t, d
    ), ended as (
      update dispatches d
      set ended_at = now(), outcome = ${outcome}, reason = ${reason}
        ${outcome === "disconnected" ? sql`, claim_key = null` : sql``}
      from held where d.id = held.dispatch_id and d.ended_at is null
        ${outcome === "expired" ? sql`and d.lease_expires_at < now()` : sql``}
        ${outcome === "disconnected" ? sql`and d.last_heard_at = d.dispatched_at` : sql``}
      returning d.id, d.task_id, d.organization_id, d.attempt
    ), counted as (
      select t.id, ${failuresAfter(sql, outcome)} as failures from tasks t join ended on ended.task_id = t.id
    ), task as (
      update tasks t
      set failures = counted.failures, version = version + 1, updated_at = now(),
        needs_attention = not ${outcome === "finished"} and ${stays},
        dispatch_ended_at = case when ${stays} then now() end,
        state = case when ${stays} then 'dispatched' else 'queued' end,
        queued_at = case when ${stays} then queued_at else now() end,
        current_dispatch_id = case when ${stays} then current_dispatch_id end,
        executor = case when ${stays} then executor end,
        dispatched_at = case when ${stays} then dispatched_at end
      from counted where t.id = counted.id
      returning t.id, t.state, t.priority, t.queue_seq, t.organization_id, t.agent_type_id
    ), place as (
      insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id, returned)
      select -priority, queue_seq, id, organization_id, agent_type_id, true from task
      where state = 'queued' and agent_type_id is not null
    ), event as (
      insert into events (type, organization_id, task_id, actor, data)
      select ${eventTypes[outcome]}, organization_id, task_id, ${sql.json({ ...actor })},
        jsonb_strip_nulls(jsonb_build_object('dispatch_id', id, 'attempt', attempt, 'reason', ${reason}::text))
      from ended
    ), move as (${writeMoves(sql, sql`task`, {
      queued: sql`count(*) filter (where state = 'queued')`,
      live: sql`-count(*)`,
      ended: sql`count(*) filter (where state = 'dispatched')`,
    })})
    select ended.id, ended.task_id, task.organization_id, task.agent_type_id, task.state = 'queued' as is_queued
    from ended join task on task.id = ended.task_id
  `;
};

/** Ends the task's live dispatch because someone requeues the task; returns its id, if it had one. */
export const endRequeued = async (sql: Transaction, taskId: string, reason: string | null): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update dispatches set ended_at = now(), outcome = 'requeued', reason = ${reason}
    where task_id = ${taskId} and ended_at is null returning id
  `;
  return rows.map(({ id }) => id);
};

/** Makes a locked, dispatched task queued again; its place is for the caller to restore. */
export const markQueued = async (sql: Transaction, taskId: string): Promise<void> => {
  await sql`
    update tasks
    set state = 'queued', needs_attention = false, failures = 0, current_dispatch_id = null, executor = null,
      dispatched_at = null, dispatch_ended_at = null, queued_at = now(), updated_at = now(), version = version + 1
    where id = ${taskId}
  `;
};

/** Live dispatches whose lease is over, the longest overdue first. */
export const listExpired = async (sql: Queryable, rows: number): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from dispatches where ended_at is null and lease_expires_at < now() order by lease_expires_at limit ${rows}
    `
  ).map(({ id }) => id);
