// The agent_types and agent_type_versions tables: written by synchronization alone.
import type { AgentType, AgentTypeSummary, AgentTypeVersion } from "@task-service/contract";
import type { Persona } from "@task-service/personas";
import type { Repository } from "../git/git-address.ts";
import type { Queryable, Transaction } from "../platform/database.ts";
import { createId, isUuid } from "../platform/identifiers.ts";
import { jsonBatches } from "../platform/json-batches.ts";
import { likePattern } from "../platform/like-pattern.ts";

/** Where a version's file is: `v` is its row. Also used for what a dispatch carried. */
export const sourceColumn = (sql: Queryable, gitUrl: string) => sql`
  json_build_object(
    'path', v.path, 'commit', v.commit, 'blob_sha', v.blob_sha,
    'html_url', ${gitUrl}::text || '/' || v.repo_owner || '/' || v.repo_name || '/src/commit/' || v.commit || '/' || v.path
  ) as source
`;

const columns = (sql: Queryable, gitUrl: string) => sql`
  a.id, a.organization_id, o.slug as organization_slug, a.slug, a.name, a.description, a.is_active,
  case when a.is_active then greatest(a.last_synced_at, s.confirmed_at) else a.last_synced_at end as last_synced_at,
  ${sourceColumn(sql, gitUrl)},
  coalesce(counted.queued, 0) as queued_count, coalesce(counted.live, 0) as dispatched_count
`;

// Summed once for all rows: there are few counts (tasks/count-queries.ts), but no index over those that are new.
const source = (sql: Queryable) => sql`
  from agent_types a join organizations o on o.id = a.organization_id join agent_type_versions v on v.id = a.version_id
  left join agent_syncs s on s.organization_id = a.organization_id
  left join (
    select agent_type_id, sum(queued)::bigint as queued, sum(live)::bigint as live from current_task_counts group by agent_type_id
  ) counted on counted.agent_type_id = a.id
`;

export const findAgentType = async (sql: Queryable, gitUrl: string, id: string): Promise<AgentType | undefined> => {
  const [row] = await sql<AgentType[]>`select ${columns(sql, gitUrl)}, a.body ${source(sql)} where a.id = ${id}`;
  return row;
};

export interface AgentTypeFilters {
  organization?: string;
  is_active?: boolean;
  slug?: string;
  q?: string;
}

/** Ordered by organization slug and slug, from after `after`. */
export const listAgentTypes = (
  sql: Queryable,
  gitUrl: string,
  { organization, is_active, slug, q }: AgentTypeFilters,
  after: readonly [string, string] | undefined,
  rows: number,
): Promise<AgentTypeSummary[]> => sql<AgentTypeSummary[]>`
  select ${columns(sql, gitUrl)} ${source(sql)}
  where true
    ${organization === undefined ? sql`` : isUuid(organization) ? sql`and o.id = ${organization}` : sql`and lower(o.slug) = lower(${organization})`}
    ${is_active === undefined ? sql`` : sql`and a.is_active = ${is_active}`}
    ${slug === undefined ? sql`` : sql`and a.slug = ${slug}`}
    ${q === undefined ? sql`` : sql`and (a.slug || ' ' || a.name || ' ' || a.description) ilike ${likePattern(q)}`}
    ${after === undefined ? sql`` : sql`and (lower(o.slug), a.slug) > (${after[0]}, ${after[1]})`}
  order by lower(o.slug), a.slug limit ${rows}
`;

export interface SizedVersion extends AgentTypeVersion {
  /** Of the bodies up to this one, as JSON. */
  json_bytes: number;
}

/**
 * Newest first, from after `after`, the time and id of a version: ids alone follow the clocks of replicas. Ends after the
 * first one with which the bodies come to more than `maxBytes`, even as they are stored.
 */
export const listAgentTypeVersions = (
  sql: Queryable,
  gitUrl: string,
  agentTypeId: string,
  after: readonly [string, string] | undefined,
  rows: number,
  maxBytes: number,
): Promise<SizedVersion[]> => {
  const newestFirst = sql`order by v.first_seen_at desc, v.id desc`;
  return sql<SizedVersion[]>`
    select v.id, v.agent_type_id, v.name, v.description, v.body, ${sourceColumn(sql, gitUrl)}, v.first_seen_at,
      sum(octet_length(to_json(v.body)::text)) over (${newestFirst}) as json_bytes
    from (
      select v.*, sum(octet_length(v.body)) over (${newestFirst}) - octet_length(v.body) as bytes_before
      from (
        select * from agent_type_versions v
        where v.agent_type_id = ${agentTypeId} ${after === undefined ? sql`` : sql`and (v.first_seen_at, v.id) < (${after[0]}, ${after[1]})`}
        ${newestFirst} limit ${rows}
      ) v
    ) v
    where v.bytes_before <= ${maxBytes}
    ${newestFirst}
  `;
};

export const isAgentType = async (sql: Queryable, id: string): Promise<boolean> =>
  (await sql`select from agent_types where id = ${id}`).length > 0;

export const hasActiveAgentTypes = async (sql: Queryable, organizationId: string): Promise<boolean> =>
  (await sql`select from agent_types where organization_id = ${organizationId} and is_active limit 1`).length > 0;

export interface AssignableAgentType {
  id: string;
  organization_id: string;
  is_active: boolean;
}

/**
 * The id of each agent type named, undefined for one there is not. With `organizationId` only its own count;
 * without it a slug names nothing.
 */
export const findAgentTypeIds = async (
  sql: Queryable,
  idsOrSlugs: readonly string[],
  organizationId: string | undefined,
): Promise<(string | undefined)[]> => {
  const ids = idsOrSlugs.filter(isUuid);
  const rows = await sql<{ id: string; slug: string | null }[]>`
    ${
      organizationId === undefined
        ? sql`select id, null as slug from agent_types where id = any(${ids}::uuid[])`
        : sql`select id, slug from agent_types where organization_id = ${organizationId} and (id = any(${ids}::uuid[]) or slug = any(${idsOrSlugs}))`
    }
  `;
  return idsOrSlugs.map((name) => rows.find(({ id, slug }) => id === name.toLowerCase() || slug === name)?.id);
};

export interface KnownPersona {
  slug: string;
  blob_sha: string;
  is_active: boolean;
}

/** What was read from `repository` so far; a persona that came from elsewhere is not known. */
export const listKnownPersonas = (
  sql: Queryable,
  organizationId: string,
  { owner, repo }: Repository,
): Promise<KnownPersona[]> => sql<KnownPersona[]>`
  select a.slug, v.blob_sha, a.is_active from agent_types a join agent_type_versions v on v.id = a.version_id
  where a.organization_id = ${organizationId} and v.repo_owner = ${owner} and v.repo_name = ${repo}
`;

export interface PersonaFile extends Persona {
  slug: string;
  path: string;
  blob_sha: string;
}

const upsertBatch = (
  sql: Transaction,
  organizationId: string,
  { owner, repo }: Repository,
  commit: string,
  batch: string,
) => sql`
  with incoming as (
    select * from json_to_recordset(${batch}::text::json) as file (
      id uuid, version_id uuid, slug text, name text, description text, body text, path text, blob_sha text
    )
  ), types as (
    insert into agent_types (id, organization_id, slug, name, description, body, is_active, last_synced_at, version_id)
    select id, ${organizationId}, slug, name, description, body, true, now(), version_id from incoming
    on conflict (organization_id, slug) do update set
      name = excluded.name, description = excluded.description, body = excluded.body,
      is_active = true, last_synced_at = excluded.last_synced_at, version_id = excluded.version_id
    returning id, slug
  )
  insert into agent_type_versions
    (id, agent_type_id, name, description, body, repo_owner, repo_name, path, commit, blob_sha, first_seen_at)
  select f.version_id, t.id, f.name, f.description, f.body, ${owner}, ${repo}, f.path, ${commit}, f.blob_sha, now()
  from incoming f join types t using (slug)
`;

/** Inserts or updates by (organization_id, slug), with a new version for each file; in several statements if they are large. */
export const upsertPersonas = async (
  sql: Transaction,
  organizationId: string,
  { owner, repo }: Repository,
  commit: string,
  files: readonly PersonaFile[],
): Promise<void> => {
  const rows = files.map((file) => ({ ...file, id: createId(), version_id: createId() }));
  for (const batch of jsonBatches(rows)) await upsertBatch(sql, organizationId, { owner, repo }, commit, batch);
};

/** Makes the agent types of `present` active and all others inactive, but those of `refused`; returns how many that changes. */
export const markPresent = async (
  sql: Transaction,
  organizationId: string,
  { present, refused }: { present: readonly string[]; refused: readonly string[] },
): Promise<number> => {
  const { count } = await sql`
    update agent_types set is_active = not is_active, last_synced_at = now()
    where organization_id = ${organizationId} and is_active <> (slug = any(${present})) and slug <> all(${refused})
  `;
  return count;
};

export const deleteAgentTypes = async (sql: Transaction, organizationId: string): Promise<void> => {
  await sql`
    delete from agent_type_versions v using agent_types a where a.id = v.agent_type_id and a.organization_id = ${organizationId}
  `;
  await sql`delete from agent_types where organization_id = ${organizationId}`;
};
