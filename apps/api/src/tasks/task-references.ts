// What requests refer to by id or name (D-01, D-12): agent types, organizations and parents, one statement for each kind.
import type { TaskCreate } from "@task-service/contract";
import type { AssignableAgentType } from "../agents/agent-type-queries.ts";
import type { Queryable } from "../platform/database.ts";
import { isUuid } from "../platform/identifiers.ts";

export interface Lineage {
  id: string;
  root_id: string;
  depth: number;
}

/** What was found, each under its {@link nameOf}. */
export interface References {
  agentTypes: ReadonlyMap<string, AssignableAgentType>;
  organizations: ReadonlyMap<string, string>;
  parents: ReadonlyMap<string, Lineage>;
}

export type Referring = Pick<TaskCreate, "assignee_type" | "assignee" | "organization" | "parent_id">;

/** One spelling for all that mean the same: of `<organization>/<slug>` the organization may be in any case. */
export const nameOf = (idOrName: string): string => {
  const [first = "", ...rest] = idOrName.split("/");
  return [first.toLowerCase(), ...rest].join("/");
};

type Named<T> = T & { name: string };

const byName = <T>(rows: readonly Named<T>[]): Map<string, T> => new Map(rows.map((row) => [row.name, row]));

/** By id or `<organization>/<slug>`, each under its {@link nameOf}. */
export const findAssignables = async (
  sql: Queryable,
  assignees: readonly string[],
): Promise<Map<string, AssignableAgentType>> => {
  const names = [...new Set(assignees.map(nameOf))];
  if (names.length === 0) return new Map();
  const pairs = names.filter((name) => name.includes("/")).map((name) => name.split("/"));
  const rows = await sql<Named<AssignableAgentType>[]>`
    select id, organization_id, is_active, id::text as name from agent_types
    where id = any(${names.filter(isUuid)}::uuid[])
    union all
    select a.id, a.organization_id, a.is_active, concat_ws('/', given.organization, given.slug)
    from unnest(${pairs.map(([organization = ""]) => organization)}::text[], ${pairs.map(([, ...slug]) => slug.join("/"))}::text[])
      as given (organization, slug)
    join organizations o on lower(o.slug) = given.organization
    join agent_types a on a.organization_id = o.id and a.slug = given.slug
  `;
  return byName(rows);
};

const findOrganizations = async (sql: Queryable, idsOrSlugs: readonly string[]): Promise<Map<string, string>> => {
  const names = [...new Set(idsOrSlugs.map(nameOf))];
  if (names.length === 0) return new Map();
  const rows = await sql<Named<{ id: string }>[]>`
    select id, id::text as name from organizations where id = any(${names.filter(isUuid)}::uuid[])
    union all
    select id, lower(slug) from organizations where lower(slug) = any(${names})
  `;
  return new Map(rows.map(({ name, id }) => [name, id]));
};

const findParents = async (sql: Queryable, ids: readonly string[]): Promise<Map<string, Lineage>> => {
  if (ids.length === 0) return new Map();
  const rows = await sql<Named<Lineage>[]>`
    select id, root_id, depth, id::text as name from tasks where id = any(${[...new Set(ids)]}::uuid[])
  `;
  return byName(rows);
};

const given = <T>(values: readonly (T | null | undefined)[]): T[] =>
  values.filter((value): value is T => value !== null && value !== undefined);

/** Looks up all that `requests` refer to; what is not there is missing from the answer. */
export const findReferences = async (sql: Queryable, requests: readonly Referring[]): Promise<References> => {
  const forAgents = requests.filter(({ assignee_type }) => assignee_type === "agent");
  const [agentTypes, organizations, parents] = await Promise.all([
    findAssignables(sql, given(forAgents.map(({ assignee }) => assignee))),
    findOrganizations(sql, given(requests.map(({ organization }) => organization))),
    findParents(sql, given(requests.map(({ parent_id }) => parent_id))),
  ]);
  return { agentTypes, organizations, parents };
};
