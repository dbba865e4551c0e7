// Reads the history: pages of events and stretches of the stream, by any filter from an index in the order of the stream.
import { type Event, type EventType, eventTypes } from "@task-service/contract";
import type { Fragment, Queryable } from "../platform/database.ts";

/** What a reader wants; what is left out narrows nothing. */
export interface EventFilter {
  organization_id?: string;
  task_id?: string;
  types?: readonly EventType[];
}

/** Of the stream: what comes after one event, up to or before another, all as `id` shows them. */
export type Stretch = { after: string } & ({ upTo: string } | { before: string });

/** The `id` that clients see: text sorts as the numbers do. */
export const shownId = (sql: Queryable, id: Fragment): Fragment => sql`lpad((${id})::text, 16, '0')`;

const columns = (sql: Queryable): Fragment =>
  sql`${shownId(sql, sql`events.id`)} as id, at, type, organization_id, task_id, actor, data`;

/** A task's events, newest first, from before the event `before` if given. */
export const listTaskEvents = (
  sql: Queryable,
  taskId: string,
  before: string | undefined,
  rows: number,
): Promise<Event[]> =>
  sql<Event[]>`
    select ${columns(sql)} from events
    where task_id = ${taskId} ${before === undefined ? sql`` : sql`and id < ${before}::bigint`}
    order by events.id desc limit ${rows}
  `;

/** The leading columns of an index, with the values they have; the id follows. */
type Lead = readonly (readonly [column: Fragment, value: Fragment])[];

/**
 * A stretch in the order of one index. Rows are compared whole and no column by itself: only that index has them in this
 * order, so no statistics lead a plan along events that are not wanted.
 */
const along = (sql: Queryable, lead: Lead, wanted: Stretch, direction: Fragment) => {
  const listed = (parts: readonly Fragment[]): Fragment => parts.reduce((all, part) => sql`${all}, ${part}`);
  const keys = [...lead.map(([column]) => column), sql`events.id`];
  const key = sql`row(${listed(keys)})`;
  const place = (id: string) => sql`row(${listed([...lead.map(([, value]) => value), sql`${id}::bigint`])})`;
  const end = "before" in wanted ? sql`< ${place(wanted.before)}` : sql`<= ${place(wanted.upTo)}`;
  return {
    isWithin: sql`${key} > ${place(wanted.after)} and ${key} ${end}`,
    inOrder: sql`order by ${listed(keys.map((column) => sql`${column} ${direction}`))}`,
  };
};

const list = (
  sql: Queryable,
  { organization_id, task_id, types }: EventFilter,
  wanted: Stretch,
  direction: Fragment,
  rows: number,
): Promise<Event[]> => {
  if (task_id !== undefined || (organization_id === undefined && types === undefined)) {
    const lead: Lead = task_id === undefined ? [] : [[sql`task_id`, sql`${task_id}::uuid`]];
    const { isWithin, inOrder } = along(sql, lead, wanted, direction);
    return sql<Event[]>`
      select ${columns(sql)} from events
      where ${isWithin} ${task_id === undefined ? sql`` : sql`and task_id is not null`}
        ${organization_id === undefined ? sql`` : sql`and organization_id = ${organization_id}`}
        ${types === undefined ? sql`` : sql`and type = any(${types}::text[])`}
      ${inOrder} limit ${rows}
    `;
  }
  const ofType: Lead = [[sql`events.type`, sql`kind`]];
  const lead: Lead =
    organization_id === undefined ? ofType : [[sql`organization_id`, sql`${organization_id}::uuid`], ...ofType];
  const { isWithin, inOrder } = along(sql, lead, wanted, direction);
  // The first of each type, merged.
  return sql<Event[]>`
    select ${columns(sql)} from unnest(${types ?? eventTypes}::text[]) as kind
    cross join lateral (select * from events where ${isWithin} ${inOrder} limit ${rows}) events
    order by events.id ${direction} limit ${rows}
  `;
};

/** The first `rows` events of a stretch, in the order of the stream. */
export const readStretch = (sql: Queryable, filter: EventFilter, stretch: Stretch, rows: number): Promise<Event[]> =>
  list(sql, filter, stretch, sql`asc`, rows);

/** The last `rows` events of a stretch, newest first. */
export const listNewest = (sql: Queryable, filter: EventFilter, stretch: Stretch, rows: number): Promise<Event[]> =>
  list(sql, filter, stretch, sql`desc`, rows);

/** The id of the last event of those up to `upTo`; of none, one that is before all. */
export const lastEventId = async (sql: Queryable, upTo: string): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    select ${shownId(sql, sql`coalesce(max(id), 0)`)} as id from events where id <= ${upTo}::bigint
  `;
  return row?.id ?? beforeFirst;
};

/** The place before the first event. */
export const beforeFirst = "0".repeat(16);

/** Whether all that came after the event is still there: it is itself, and not so old that what followed may be gone. */
export const isKept = async (sql: Queryable, id: string, retentionDays: number): Promise<boolean> => {
  if (id === beforeFirst) return true;
  const found = await sql`
    select from events where id = ${id}::bigint and at > now() - make_interval(days => ${retentionDays})
  `;
  return found.length > 0;
};
