// What a list of tasks is narrowed by (D-16): names become ids, and each filter a condition on the row.
import { maxPriority, minPriority, type TaskFilters } from "@task-service/contract";
import { findOrganizationIds } from "../organizations/organization-queries.ts";
import type { Fragment, Queryable } from "../platform/database.ts";
import { isUuid } from "../platform/identifiers.ts";
import { sumCounts } from "./count-queries.ts";
import { findAssignables, nameOf } from "./task-references.ts";

/** The filters that the row itself can tell of, with organizations and agent types as ids. */
export interface RowFilters extends Omit<TaskFilters, "organization" | "assignee" | "q"> {
  id?: string;
  organization?: readonly string[];
  /** One of them must fit: agent types by their ids, people by their names. */
  assignee?: { agentTypes: readonly string[]; people: readonly string[] };
}

export interface ResolvedFilters {
  row: RowFilters;
  /** The priorities there are between the two asked for; undefined if none is asked for, or there are too many. */
  priorities: readonly number[] | undefined;
  /** There are too many of them, but few tasks have one. */
  isPriorityRare: boolean;
  /** What `q` searches for, as a tsquery; undefined without any word. */
  words: string | undefined;
}

const maxPriorities = 50;
/** So few tasks are all found by their priority and sorted. */
const fewTasks = 5000;

const resolveAssignees = async (
  sql: Queryable,
  assignees: readonly string[],
  organizations: readonly string[] | undefined,
): Promise<NonNullable<RowFilters["assignee"]>> => {
  const found = await findAssignables(sql, assignees);
  return {
    agentTypes: [...found.values()].flatMap(({ id, organization_id }) =>
      organizations === undefined || organizations.includes(organization_id) ? [id] : [],
    ),
    people: assignees.filter((one) => !found.has(nameOf(one))),
  };
};

const findWords = async (sql: Queryable, q: string): Promise<string | undefined> => {
  const [row] = await sql<{ words: string | null }[]>`select search_query(${q})::text as words`;
  return row?.words ?? undefined;
};

/** Each is found by one look into the index. */
const findPriorities = async (sql: Queryable, min: number, max: number): Promise<number[] | undefined> => {
  const next = (from: Fragment) =>
    sql`select t.priority from tasks t where ${from} and t.priority <= ${max} order by t.priority limit 1`;
  const rows = await sql<{ priority: number }[]>`
    with recursive step (priority) as (
      (${next(sql`t.priority >= ${min}`)})
      union all
      select (${next(sql`t.priority > step.priority`)}) from step where priority is not null
    )
    select priority from step where priority is not null limit ${maxPriorities + 1}
  `;
  return rows.length > maxPriorities ? undefined : rows.map(({ priority }) => priority);
};

/** Names become ids; a name that means nothing matches nothing. */
export const resolveFilters = async (
  sql: Queryable,
  { organization, assignee, q, ...plain }: TaskFilters,
): Promise<ResolvedFilters> => {
  const { priority_min: min, priority_max: max } = plain;
  const id = q?.trim();
  const hasId = id !== undefined && isUuid(id);
  const [organizations, priorities, words] = await Promise.all([
    organization && findOrganizationIds(sql, organization),
    min === undefined && max === undefined ? undefined : findPriorities(sql, min ?? minPriority, max ?? maxPriority),
    q === undefined || hasId ? undefined : findWords(sql, q),
  ]);
  const isOfManyPriorities = (min !== undefined || max !== undefined) && priorities === undefined;
  const range = { ...(min !== undefined && { priorityMin: min }), ...(max !== undefined && { priorityMax: max }) };
  const assignees = assignee && (await resolveAssignees(sql, assignee, organizations));
  // A task of an agent type is in its organization: nothing is left to ask of that.
  const isImplied = assignees?.people.length === 0;
  return {
    row: {
      ...plain,
      ...(hasId && { id }),
      ...(organizations && !isImplied && { organization: organizations }),
      ...(assignees && { assignee: assignees }),
    },
    priorities,
    isPriorityRare: isOfManyPriorities && (await sumCounts(sql, range)) <= fewTasks,
    words,
  };
};

/** What is asked for has no place in the queue: what is dispatched, or a person's. */
export const isOutsideQueue = ({ row }: ResolvedFilters): boolean =>
  row.state === "dispatched" ||
  row.live === true ||
  row.assignee_type === "user" ||
  row.assignee?.agentTypes.length === 0;

/** Filters that contradict each other, or name nothing that exists. */
export const isHopeless = ({ row, priorities }: ResolvedFilters): boolean =>
  (row.live === true && row.state === "queued") ||
  [row.organization, priorities, row.assignee && [...row.assignee.agentTypes, ...row.assignee.people]].some(
    (values) => values?.length === 0,
  );

type Conditions = { [F in keyof RowFilters]-?: (value: NonNullable<RowFilters[F]>) => Fragment };

const conditions = (sql: Queryable): Conditions => ({
  id: (id) => sql`t.id = ${id}`,
  state: (state) => sql`t.state = ${state}`,
  live: (isLive) => sql`(t.state = 'dispatched' and t.dispatch_ended_at is null) = ${isLive}`,
  organization: (ids) => sql`t.organization_id = any(${ids}::uuid[])`,
  assignee_type: (type) => sql`t.assignee_type = ${type}`,
  assignee: ({ agentTypes, people }) => sql`(t.agent_type_id = any(${agentTypes}::uuid[])
    or t.assignee_type = 'user' and t.assignee = any(${people}))`,
  label: (labels) => sql`t.labels && ${labels}::text[]`,
  parent_id: (id) => sql`t.parent_id = ${id}`,
  root_id: (id) => sql`t.root_id = ${id}`,
  created_by: (sub) => sql`t.created_by ->> 'sub' = ${sub}`,
  needs_attention: (isNeeded) => sql`t.needs_attention = ${isNeeded}`,
  git_state: (state) => sql`t.git_state ->> 'state' = ${state}`,
  priority_min: (priority) => sql`t.priority >= ${priority}`,
  priority_max: (priority) => sql`t.priority <= ${priority}`,
});

/** All that `filters` ask of the row `t`, each beginning with `and`. */
export const isMatch = (sql: Queryable, filters: RowFilters): Fragment => {
  const of = conditions(sql) as Record<string, (value: never) => Fragment>;
  return Object.entries(filters).reduce<Fragment>(
    (all, [name, value]) => sql`${all} and ${of[name]?.(value as never) ?? sql`false`}`,
    sql``,
  );
};
