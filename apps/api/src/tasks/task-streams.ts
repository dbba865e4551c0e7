// Where the tasks of a filter are found in the order of their ids: a stream for each filter, out of an index of its own.
import { maxPriority, minPriority } from "@task-service/contract";
import type { Fragment, Queryable } from "../platform/database.ts";
import type { ResolvedFilters, RowFilters } from "./task-filters.ts";

/** A part of the ids in their order: from beyond `after`, `limit` of them. */
export interface Span {
  isDescending: boolean;
  after: string | undefined;
  limit: number;
}

/** Selects the `id` of tasks in a span, each once. All that its filter lets through are in it; others may be. */
export type Stream = (span: Span) => Fragment;

export const direction = (sql: Queryable, { isDescending }: Pick<Span, "isDescending">): Fragment =>
  isDescending ? sql`desc` : sql`asc`;

/** The ids that `rows` select, which must end with a condition. */
const ordered =
  (sql: Queryable, id: Fragment, rows: Fragment): Stream =>
  ({ after, ...span }) =>
    sql`
    ${rows} ${after === undefined ? sql`` : span.isDescending ? sql`and ${id} < ${after}` : sql`and ${id} > ${after}`}
    order by ${id} ${direction(sql, span)} limit ${span.limit}
  `;

const tasksWhere = (sql: Queryable, condition: Fragment): Stream =>
  ordered(sql, sql`t.id`, sql`select t.id from tasks t where ${condition}`);

/** Several streams as one: of each its own part of the span, of all these the first. */
const together =
  (sql: Queryable, streams: readonly Stream[]): Stream =>
  (span) => {
    const parts = streams.map((stream) => sql`(${stream(span)})`).reduce((all, part) => sql`${all} union all ${part}`);
    return sql`select distinct id from (${parts}) part order by id ${direction(sql, span)} limit ${span.limit}`;
  };

/** A stream for each of `values`, as one; a condition on all values at once would lose the order of the index. */
const ofEach =
  (sql: Queryable, values: Fragment, stream: Stream): Stream =>
  (span) =>
    sql`
    select distinct found.id from unnest(${values}) as given (value) cross join lateral (${stream(span)}) found
    order by found.id ${direction(sql, span)} limit ${span.limit}
  `;

// What waits stands in the queue, or outside of it when it is nobody's or a person's.
const queued = (sql: Queryable): Stream =>
  together(sql, [
    ordered(sql, sql`r.task_id`, sql`select r.task_id as id from ready r where true`),
    tasksWhere(sql, sql`t.agent_type_id is null`),
  ]);

// A person's task was dispatched only if it was an agent type's before.
const dispatchedOfPeople = (sql: Queryable): Stream =>
  tasksWhere(sql, sql`t.agent_type_id is null and t.queue_seq is not null`);

const dispatched = (sql: Queryable): Stream =>
  ordered(sql, sql`d.task_id`, sql`select distinct d.task_id as id from dispatches d where true`);

// Found all at once and sorted: they are as many as workers.
const live = (sql: Queryable): Stream =>
  ordered(
    sql,
    sql`d.task_id`,
    sql`select d.task_id as id from (select task_id from dispatches where ended_at is null offset 0) d where true`,
  );

// Found all at once and sorted, too.
const ofRarePriority = (
  sql: Queryable,
  { priority_min = minPriority, priority_max = maxPriority }: RowFilters,
): Stream =>
  ordered(
    sql,
    sql`t.id`,
    sql`select t.id from (select id from tasks where priority between ${priority_min} and ${priority_max} offset 0) t where true`,
  );

type Sources = { [F in keyof RowFilters]?: (value: NonNullable<RowFilters[F]>) => Stream | undefined };

/** In the order in which they are tried: those that are short as a rule come first. */
const sources = (sql: Queryable, { row, priorities, isPriorityRare }: ResolvedFilters): Sources => {
  const ofPriorities = () => {
    if (isPriorityRare) return ofRarePriority(sql, row);
    return priorities && ofEach(sql, sql`${[...priorities]}::int[]`, tasksWhere(sql, sql`t.priority = given.value`));
  };
  const ofPeople =
    row.state === "dispatched" ? dispatchedOfPeople(sql) : tasksWhere(sql, sql`t.assignee_type = 'user'`);
  return {
    id: (id) => tasksWhere(sql, sql`t.id = ${id}`),
    parent_id: (id) => tasksWhere(sql, sql`t.parent_id = ${id}`),
    root_id: (id) =>
      together(sql, [
        tasksWhere(sql, sql`t.id = ${id} and t.depth = 0`),
        tasksWhere(sql, sql`t.root_id = ${id} and t.depth > 0`),
      ]),
    needs_attention: (isNeeded) => (isNeeded ? tasksWhere(sql, sql`t.needs_attention`) : undefined),
    git_state: (state) => tasksWhere(sql, sql`t.git_state is not null and t.git_state ->> 'state' = ${state}`),
    live: (isLive) => (isLive ? live(sql) : undefined),
    assignee_type: (type) => (type === "user" ? ofPeople : undefined),
    label: (labels) =>
      ofEach(
        sql,
        sql`${labels}::text[]`,
        ordered(sql, sql`l.task_id`, sql`select l.task_id as id from task_labels l where l.label = given.value`),
      ),
    assignee: ({ agentTypes, people }) =>
      together(sql, [
        ofEach(sql, sql`${agentTypes}::uuid[]`, tasksWhere(sql, sql`t.agent_type_id = given.value`)),
        row.state === "dispatched"
          ? dispatchedOfPeople(sql)
          : ofEach(
              sql,
              sql`${people}::text[]`,
              tasksWhere(sql, sql`t.assignee_type = 'user' and t.assignee = given.value`),
            ),
      ]),
    created_by: (sub) => tasksWhere(sql, sql`t.created_by ->> 'sub' = ${sub}`),
    priority_min: ofPriorities,
    priority_max: ofPriorities,
    organization: (ids) => ofEach(sql, sql`${ids}::uuid[]`, tasksWhere(sql, sql`t.organization_id = given.value`)),
    state: (state) => (state === "queued" ? queued(sql) : dispatched(sql)),
  };
};

interface NamedStream {
  name: string;
  stream: Stream;
}

const namedStreams = (sql: Queryable, filters: ResolvedFilters): NamedStream[] =>
  Object.entries(sources(sql, filters)).flatMap(([name, source]) => {
    const value = filters.row[name as keyof RowFilters];
    const stream = value === undefined ? undefined : (source as (value: unknown) => Stream | undefined)(value);
    return stream ? [{ name, stream }] : [];
  });

/** Each holds all the tasks that `filters` let through; without a filter that has one, it is all tasks. */
export const streamsOf = (sql: Queryable, filters: ResolvedFilters): Stream[] => {
  const streams = namedStreams(sql, filters).map(({ stream }) => stream);
  return streams.length > 0 ? streams : [tasksWhere(sql, sql`true`)];
};

/** The stream that holds nothing but what the filters of the row let through; undefined if there is none. */
export const exactStream = (sql: Queryable, filters: ResolvedFilters): Stream | undefined => {
  const streams = namedStreams(sql, filters);
  const isOfPriority = streams.every(({ name }) => name.startsWith("priority_"));
  const isOne = streams.length === Object.keys(filters.row).length && (streams.length === 1 || isOfPriority);
  return isOne && filters.row.state === undefined ? streams[0]?.stream : undefined;
};
