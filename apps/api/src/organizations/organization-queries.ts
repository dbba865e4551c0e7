// The organizations table, and how an organization reads together with the state of its synchronization.
import type { Organization } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import type { Queryable, Transaction } from "../platform/database.ts";
import { isUuid } from "../platform/identifiers.ts";
import { likePattern } from "../platform/like-pattern.ts";

const repositoryOwner = (sql: Queryable) => sql`coalesce(o.agents_repo_owner, o.slug)`;
const repositoryName = (sql: Queryable) => sql`coalesce(o.agents_repo_name, o.slug || '-agents')`;

/** Where the agents repository of the organization `o` is: the columns of a Repository. */
export const repositoryColumns = (sql: Queryable) =>
  sql`${repositoryOwner(sql)} as owner, ${repositoryName(sql)} as repo`;

/** Whether the agents repository of the organization `o` is this one, to the letter. */
export const isRepositoryOf = (sql: Queryable, { owner, repo }: Repository) =>
  sql`(${repositoryOwner(sql)} = ${owner} and ${repositoryName(sql)} = ${repo})`;

const columns = (sql: Queryable, gitUrl: string) => sql`
  o.id, o.slug, o.name,
  ${gitUrl}::text || '/' || o.agents_repo_owner || '/' || o.agents_repo_name as agents_repo_url,
  ${gitUrl}::text || '/' || ${repositoryOwner(sql)} || '/' || ${repositoryName(sql)} as agents_repo_effective_url,
  json_build_object(
    'status', coalesce(s.status, 'never'),
    'message', s.message,
    'commit', case when s.repository = ${repositoryOwner(sql)} || '/' || ${repositoryName(sql)} then s.commit end,
    'started_at', instant(s.started_at),
    'finished_at', instant(s.finished_at),
    'errors', coalesce(shown_findings(s.errors), '[]'),
    'warnings', coalesce(shown_findings(s.warnings), '[]')
  ) as sync,
  (select count(*) from agent_types a where a.organization_id = o.id and a.is_active) as agent_type_count,
  o.created_at, o.updated_at
`;

const source = (sql: Queryable) => sql`from organizations o left join agent_syncs s on s.organization_id = o.id`;

const isOrganization = (sql: Queryable, idOrSlug: string) =>
  isUuid(idOrSlug) ? sql`o.id = ${idOrSlug}` : sql`lower(o.slug) = lower(${idOrSlug})`;

export const findOrganization = async (
  sql: Queryable,
  gitUrl: string,
  idOrSlug: string,
): Promise<Organization | undefined> => {
  const [organization] = await sql<Organization[]>`
    select ${columns(sql, gitUrl)} ${source(sql)} where ${isOrganization(sql, idOrSlug)}
  `;
  return organization;
};

/** The ids of those that exist, in no order. */
export const findOrganizationIds = async (sql: Queryable, idsOrSlugs: readonly string[]): Promise<string[]> => {
  const ids = idsOrSlugs.filter(isUuid);
  const slugs = idsOrSlugs.filter((one) => !isUuid(one)).map((slug) => slug.toLowerCase());
  const rows = await sql<{ id: string }[]>`
    select id from organizations where id = any(${ids}::uuid[]) union select id from organizations where lower(slug) = any(${slugs})
  `;
  return rows.map(({ id }) => id);
};

/** Locks the organization for the rest of the transaction and returns its id. */
export const lockOrganization = async (sql: Transaction, idOrSlug: string): Promise<string | undefined> => {
  const [row] = await sql<
    { id: string }[]
  >`select o.id from organizations o where ${isOrganization(sql, idOrSlug)} for update`;
  return row?.id;
};

/** Ordered by slug without regard to case, from after the slug `after`. */
export const listOrganizations = (
  sql: Queryable,
  gitUrl: string,
  { q, after, rows }: { q: string | undefined; after: string | undefined; rows: number },
): Promise<Organization[]> => sql<Organization[]>`
  select ${columns(sql, gitUrl)} ${source(sql)}
  where true
    ${q === undefined ? sql`` : sql`and (o.slug ilike ${likePattern(q)} or o.name ilike ${likePattern(q)})`}
    ${after === undefined ? sql`` : sql`and lower(o.slug) > ${after}`}
  order by lower(o.slug) limit ${rows}
`;

export interface OrganizationValues {
  slug?: string;
  name?: string;
  agents_repo_owner?: string | null;
  agents_repo_name?: string | null;
}

export const insertOrganization = async (
  sql: Queryable,
  id: string,
  slug: string,
  name: string,
  repository: Repository | undefined,
): Promise<void> => {
  await sql`
    insert into organizations (id, slug, name, agents_repo_owner, agents_repo_name)
    values (${id}, ${slug}, ${name}, ${repository?.owner ?? null}, ${repository?.repo ?? null})
  `;
};

export const updateOrganization = async (sql: Queryable, id: string, values: OrganizationValues): Promise<void> => {
  await sql`update organizations set ${sql(values)}, updated_at = now() where id = ${id}`;
};

export const deleteOrganization = async (sql: Queryable, id: string): Promise<void> => {
  await sql`delete from organizations where id = ${id}`;
};

export const listOrganizationIds = async (sql: Queryable): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from organizations order by id`).map(({ id }) => id);

/** The ids of all organizations whose agents repository this is, without regard to case. */
export const findIdsByRepository = async (sql: Queryable, { owner, repo }: Repository): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o
    where lower(${repositoryOwner(sql)}) = lower(${owner}) and lower(${repositoryName(sql)}) = lower(${repo})
  `;
  return rows.map(({ id }) => id);
};
