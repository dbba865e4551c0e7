// The notes table (D-38), and the count of its notes that a task's row keeps.
import type { Note, Task } from "@task-service/contract";
import type { CreationKey } from "../idempotency/creation-keys.ts";
import { bindKeys } from "../idempotency/idempotency-queries.ts";
import type { Fragment, Queryable, Sql, Transaction } from "../platform/database.ts";

/** What decides whether a note of some dispatch is taken. */
export type NotedTask = Pick<Task, "state" | "current_dispatch_id">;

export const findNotedTask = async (sql: Queryable, id: string): Promise<NotedTask | undefined> => {
  const [task] = await sql<NotedTask[]>`select state, current_dispatch_id from tasks where id = ${id}`;
  return task;
};

export interface NoteWrites {
  /** Bound with the note. */
  key: CreationKey | undefined;
  /** Of the event that tells of it. */
  data: Record<string, unknown>;
  /** The statement that renews the leases of an array of dispatches. */
  renewing(sql: Queryable, dispatchIds: Fragment): Fragment;
}

/**
 * Leaves a note, with its event, and renews the lease of the dispatch it names. False if there is no such task, if that
 * dispatch is not the latest one of a dispatched task, or if the key is bound already. One statement, as it locks the
 * task but not its place in the queue (a note moves nothing): were it held between two, whoever stalls there would keep
 * every claim that comes to this place.
 */
export const leaveNote = async (
  sql: Sql,
  { id, task_id, dispatch_id, actor, text, at }: Note,
  { key, data, renewing }: NoteWrites,
): Promise<boolean> => {
  const writer = sql`${sql.json({ ...actor })}::jsonb`;
  const left = await sql`
    with target as materialized (
      select id, organization_id from tasks where id = ${task_id}
        ${dispatch_id === null ? sql`` : sql`and state = 'dispatched' and current_dispatch_id = ${dispatch_id}`}
      for no key update
    ), free as materialized (
      ${key ? bindKeys(sql, [{ ...key, resource_ids: [id] }], sql`exists (select from target)`) : sql`select`}
    ), note as (
      insert into notes (id, task_id, dispatch_id, actor, text, at)
      select ${id}::uuid, target.id, ${dispatch_id}::uuid, ${writer}, ${text}, ${at}::timestamptz from target cross join free
      returning task_id, dispatch_id
    ), counted as (
      update tasks set note_count = note_count + 1 from note where id = note.task_id
    ), event as (
      insert into events (type, organization_id, task_id, actor, data)
      select 'task.noted', target.organization_id, target.id, ${writer}, ${sql.json(data as never)}::jsonb
      from note join target on target.id = note.task_id
    )
    ${dispatch_id === null ? sql`` : sql`, renewed as (${renewing(sql, sql`array(select dispatch_id from note)`)})`}
    select from note
  `;
  return left.length > 0;
};

/** The task must be locked. Its version stays: notes are none of its own fields (D-13). */
export const insertNote = async (
  sql: Transaction,
  { id, task_id, dispatch_id, actor, text, at }: Note,
): Promise<void> => {
  await sql`
    with noted as (update tasks set note_count = note_count + 1 where id = ${task_id})
    insert into notes (id, task_id, dispatch_id, actor, text, at)
    values (${id}, ${task_id}, ${dispatch_id}, ${sql.json({ ...actor })}, ${text}, ${at})
  `;
};

export const findNote = async (sql: Queryable, taskId: string, id: string): Promise<Note | undefined> => {
  const [note] = await sql<Note[]>`
    select id, task_id, dispatch_id, actor, text, at from notes where id = ${id} and task_id = ${taskId}
  `;
  return note;
};

/** A task's notes, newest first, from before the note `before` if given. */
export const listNotes = (
  sql: Queryable,
  taskId: string,
  before: string | undefined,
  rows: number,
): Promise<Note[]> => sql<Note[]>`
  select id, task_id, dispatch_id, actor, text, at from notes
  where task_id = ${taskId} ${before === undefined ? sql`` : sql`and id < ${before}`}
  order by id desc limit ${rows}
`;

/** How many notes a hand-over carries (D-21). */
const handedOverNotes = 20;

/** The notes of `t` that a hand-over of it carries, to be selected from. */
export const latestNotes = (sql: Queryable) => sql`
  (select * from notes n where n.task_id = t.id order by n.id desc limit ${handedOverNotes}) latest
`;

/** By task, the notes that its hand-over carries, oldest first; tasks without notes are missing. */
export const findLatestNotes = async (sql: Queryable, taskIds: readonly string[]): Promise<Map<string, Note[]>> => {
  if (taskIds.length === 0) return new Map();
  const notes = await sql<Note[]>`
    select latest.* from unnest(${taskIds}::uuid[]) as t (id) cross join lateral ${latestNotes(sql)} order by latest.id
  `;
  return Map.groupBy(notes, ({ task_id }) => task_id);
};

export const deleteNotesOfTask = async (sql: Transaction, taskId: string): Promise<void> => {
  await sql`delete from notes where task_id = ${taskId}`;
};

/** The tasks must be locked, and go in the same transaction. */
export const deleteNotesOfOrganization = async (sql: Transaction, organizationId: string): Promise<void> => {
  await sql`
    delete from notes using tasks t where t.id = notes.task_id and t.organization_id = ${organizationId}
  `;
};
