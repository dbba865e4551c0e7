// tasks.git_state, written here alone but for a new link that sets it null: one task at a time, guarded, with its event (D-34).
// Writing one row a statement, it never waits for a second lock while it holds one, so no claim can meet it in a deadlock.
import type { GitState } from "@task-service/contract";
import { serviceActor } from "../events/event-queries.ts";
import type { Fragment, Queryable } from "../platform/database.ts";
import type { LinkedTask } from "./linked-task-queries.ts";

/** What is shown of an issue, but for the time of our knowledge. */
export type Shown = Omit<GitState, "synced_at">;

const updatedAt = (state: Fragment, sql: Queryable) =>
  sql`coalesce((${state} ->> 'updated_at')::timestamptz, '-infinity')`;

interface Rule {
  /** What is shown afterwards if the rule takes it; `known` is what was, or null. */
  next: Fragment;
  takes: Fragment;
  /** Whether the task was looked at just now, also if nothing new was found. */
  confirms: Fragment;
  /** Whether only another look at the host can tell what is true. */
  isOpen: Fragment;
}

/** Applies a rule to the task unless its link has changed; true if the question stays open. */
const judge = async (sql: Queryable, { id, git_link }: LinkedTask, rule: Rule): Promise<boolean> => {
  const [row] = await sql<{ is_open: boolean }[]>`
    with before as materialized (
      select id, organization_id, git_state - 'synced_at' as known, (git_state ->> 'synced_at')::timestamptz as synced_at
      from tasks where id = ${id} and git_link = ${sql.json({ ...git_link })}
      for no key update
    ), judged as materialized (
      select *, ${rule.next} as next, ${rule.takes} as takes, ${rule.confirms} as confirms, ${rule.isOpen} as is_open from before
    ), written as (
      update tasks t
      set git_state = case when takes then next else known end || jsonb_build_object('synced_at', instant(clock_timestamp()))
      from judged j where t.id = j.id and (takes or confirms and known is not null)
    ), told as (
      insert into events (type, organization_id, task_id, actor, data)
      select 'task.mirrored', organization_id, id, ${sql.json({ ...serviceActor })},
        next || jsonb_build_object('previous_state', known -> 'state')
      from judged where takes and next is distinct from known
    )
    select is_open from judged
  `;
  return row?.is_open ?? false;
};

/**
 * Writes a delivery's state if nothing is known, if it is newer, or if the issue was unreadable. Resolves to true if only
 * a read can settle the matter: it came after an unreadable one, or differs from what is known of the same second.
 */
export const writeDelivered = (sql: Queryable, task: LinkedTask, shown: Shown): Promise<boolean> => {
  const next = sql`${sql.json({ ...shown })}::jsonb`;
  const isUnreadable = sql`coalesce(known ->> 'state' = 'unreadable', false)`;
  const isNewer = sql`${updatedAt(next, sql)} > ${updatedAt(sql`known`, sql)}`;
  const isOfSameSecond = sql`coalesce(${updatedAt(next, sql)} = ${updatedAt(sql`known`, sql)} and known <> ${next}, false)`;
  return judge(sql, task, {
    next,
    takes: sql`(known is null or ${isUnreadable} or ${isNewer})`,
    confirms: sql`false`,
    isOpen: sql`(${isUnreadable} or ${isOfSameSecond})`,
  });
};

/** What the issue was stays in sight, as far as it is known. */
const unreadable = (sql: Queryable, unknown: Shown): Fragment =>
  sql`coalesce(known, ${sql.json({ ...unknown })}::jsonb) || '{"state": "unreadable"}'`;

/** Writes that a delivery told of the issue's end; `shown` is what it was then. */
export const writeDeleted = async (sql: Queryable, task: LinkedTask, shown: Shown): Promise<void> => {
  await judge(sql, task, {
    next: unreadable(sql, shown),
    takes: sql`known ->> 'state' is distinct from 'unreadable'`,
    confirms: sql`false`,
    isOpen: sql`false`,
  });
};

/**
 * Writes what a read found that began at `begunAt` by the database's clock, unless what is known is newer. Resolves to
 * true if something else became known during the read, so that it takes another one to tell which came first.
 */
export const writeRead = (sql: Queryable, task: LinkedTask, shown: Shown, begunAt: string): Promise<boolean> => {
  const next = sql`${sql.json({ ...shown })}::jsonb`;
  const isUnreadable = sql`coalesce(known ->> 'state' = 'unreadable', false)`;
  const isUndisturbed = sql`coalesce(synced_at < ${begunAt}::timestamptz, true)`;
  const age = sql`${updatedAt(next, sql)}`;
  const knownAge = sql`${updatedAt(sql`known`, sql)}`;
  return judge(sql, task, {
    next,
    takes: sql`case
      when ${isUndisturbed} then known is null or ${isUnreadable} or ${age} >= ${knownAge}
      else not ${isUnreadable} and ${age} > ${knownAge}
    end`,
    confirms: sql`${isUndisturbed}`,
    isOpen: sql`coalesce(not ${isUndisturbed} and (${isUnreadable} or ${age} = ${knownAge} and known <> ${next}), false)`,
  });
};

/** Writes that a read that began at `begunAt` was refused, unless something became known since. */
export const writeUnreadable = async (sql: Queryable, task: LinkedTask, begunAt: string): Promise<void> => {
  const { kind, url } = task.git_link;
  const unknown: Shown = {
    kind,
    state: "unreadable",
    draft: false,
    title: "",
    labels: [],
    html_url: url,
    updated_at: null,
  };
  const isUndisturbed = sql`coalesce(synced_at < ${begunAt}::timestamptz, true)`;
  await judge(sql, task, {
    next: unreadable(sql, unknown),
    takes: sql`(${isUndisturbed} and known ->> 'state' is distinct from 'unreadable')`,
    confirms: isUndisturbed,
    isOpen: sql`false`,
  });
};

/** Forgets what is shown, if it was learned before `before`: it is that of another issue, which had the same name. */
export const forgetState = async (sql: Queryable, { id, git_link }: LinkedTask, before: string): Promise<void> => {
  await sql`
    update tasks set git_state = null
    where id = ${id} and git_link = ${sql.json({ ...git_link })} and (git_state ->> 'synced_at')::timestamptz < ${before}::timestamptz
  `;
};
