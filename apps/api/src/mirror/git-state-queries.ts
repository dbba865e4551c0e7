// tasks.git_state, written here alone but for a new link that sets it null: one task at a time, guarded, with its event (D-34).
// Writing one task a statement, it never waits for a second one while it holds one, so no claim can meet it in a deadlock;
// a row of mirror_questions comes after the task's.
import type { GitState } from "@task-service/contract";
import { serviceActor } from "../events/event-queries.ts";
import type { Fragment, Queryable } from "../platform/database.ts";
import type { LinkedTask } from "./linked-task-queries.ts";
import { asking } from "./question-queries.ts";

/** What is shown of an issue, but for the time of our knowledge. */
export type Shown = Omit<GitState, "synced_at">;

const updatedAt = (state: Fragment, sql: Queryable) =>
  sql`coalesce((${state} ->> 'updated_at')::timestamptz, '-infinity')`;

interface Rule {
  /** What is shown afterwards if the rule takes it, or null; `known` is what was, or null. */
  next: Fragment;
  takes: Fragment;
  /** Whether the task was looked at just now, also if nothing new was found. */
  confirms: Fragment;
  /** Whether only another look at the host can tell what is true, which is then asked for. */
  isOpen: Fragment;
}

/** Applies a rule to the task unless its link has changed; true if another look was asked for. */
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
        coalesce(next, jsonb_build_object('kind', known -> 'kind', 'state', null))
          || jsonb_build_object('previous_state', known -> 'state')
      from judged where takes and next is distinct from known
    ), asked as (
      ${asking(sql, git_link, sql`from judged`, sql`is_open`)}
    )
    select is_open from judged
  `;
  return row?.is_open ?? false;
};

/** Whether a delivery has the host asked afterwards: where it may be wrong, if the host can be asked at all. */
export type Asking = "never" | "in doubt" | "always";

/**
 * Writes a delivery's state if nothing is known, if it is newer, or if the issue was unreadable and it is not older than
 * what was known then. Resolves to true if a read is to settle the matter: over an unreadable one, and if it differs
 * from what is known of the same second.
 */
export const writeDelivered = (sql: Queryable, task: LinkedTask, shown: Shown, asks: Asking): Promise<boolean> => {
  const next = sql`${sql.json({ ...shown })}::jsonb`;
  const age = sql`${updatedAt(next, sql)}`;
  const knownAge = sql`${updatedAt(sql`known`, sql)}`;
  const isUnreadable = sql`coalesce(known ->> 'state' = 'unreadable', false)`;
  const isOfSameSecond = sql`coalesce(${age} = ${knownAge} and known <> ${next}, false)`;
  return judge(sql, task, {
    next,
    takes: sql`(known is null or ${age} > ${knownAge} or ${isUnreadable} and ${age} = ${knownAge})`,
    confirms: sql`false`,
    isOpen: sql`(${asks}::text = 'always' or ${asks}::text = 'in doubt' and (${isUnreadable} or ${isOfSameSecond}))`,
  });
};

/** What the issue was stays in sight, as far as it is known. */
const unreadable = (sql: Queryable, unknown: Shown): Fragment =>
  sql`coalesce(known, ${sql.json({ ...unknown })}::jsonb) || '{"state": "unreadable"}'`;

/** Writes that a delivery told of the issue's end; `shown` is what it was then. Resolves to whether a read was asked for. */
export const writeDeleted = (sql: Queryable, task: LinkedTask, shown: Shown, asks: Asking): Promise<boolean> =>
  judge(sql, task, {
    next: unreadable(sql, shown),
    takes: sql`known ->> 'state' is distinct from 'unreadable'`,
    confirms: sql`false`,
    isOpen: sql`${asks}::text <> 'never'`,
  });

/**
 * Writes what a read found that began at `begunAt` by the database's clock, unless what is known is newer. Resolves to
 * true if something else became known during the read, so that another one was asked for to tell which came first.
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
export const forgetState = async (sql: Queryable, task: LinkedTask, before: string): Promise<void> => {
  await judge(sql, task, {
    next: sql`null::jsonb`,
    takes: sql`coalesce(synced_at < ${before}::timestamptz, false)`,
    confirms: sql`false`,
    isOpen: sql`false`,
  });
};
