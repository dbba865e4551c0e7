// The mirrored_repositories table: what the host calls a repository that tasks are linked to, and how far it was read.
import type { HostRepository } from "../git/issue-reading.ts";
import type { Queryable } from "../platform/database.ts";
import type { RepositoryKey } from "./linked-task-queries.ts";
import { askingAll } from "./question-queries.ts";

export interface MirroredRepository extends RepositoryKey {
  owner: string | null;
  repo: string | null;
  repository_id: number | null;
  read_to: string | null;
  unreadable_since: string | null;
}

const columns = (sql: Queryable) => sql`owner_key, repo_key, owner, repo, repository_id, read_to, unreadable_since`;
const isKey = (sql: Queryable, { owner_key, repo_key }: RepositoryKey) =>
  sql`owner_key = ${owner_key} and repo_key = ${repo_key}`;

export const findMirrored = async (sql: Queryable, key: RepositoryKey): Promise<MirroredRepository | undefined> => {
  const [row] = await sql<MirroredRepository[]>`
    select ${columns(sql)} from mirrored_repositories where ${isKey(sql, key)}
  `;
  return row;
};

/** What is known of the repository as a look at it begins, and when that is, by the database's clock (see databaseTime). */
export const beginLook = async (
  sql: Queryable,
  key: RepositoryKey,
): Promise<{ begunAt: string; known: MirroredRepository | undefined }> => {
  const [{ now, ...known }] = await sql<[{ now: string } & MirroredRepository]>`
    select clock_timestamp() as now, ${columns(sql)}
    from pg_sleep(0.001) left join mirrored_repositories on ${isKey(sql, key)}
  `;
  return { begunAt: now, known: known.owner_key === null ? undefined : known };
};

/** What is known by this name, and by all names that led to the repository with this id. */
export const findNamesOf = (
  sql: Queryable,
  { owner_key, repo_key }: RepositoryKey,
  id: number,
): Promise<MirroredRepository[]> => sql<MirroredRepository[]>`
  select ${columns(sql)} from mirrored_repositories where owner_key = ${owner_key} and repo_key = ${repo_key}
  union select ${columns(sql)} from mirrored_repositories where repository_id = ${id}
`;

/**
 * Keeps what the host calls the repository. One that was never read is read from the time `at` on: what deliveries told of
 * it before may be old by now, and no list goes back so far, so all of it is asked about.
 */
export const noteRead = async (
  sql: Queryable,
  key: RepositoryKey,
  names: HostRepository | undefined,
  at: string | null,
): Promise<void> => {
  const { owner = null, repo = null, id = null } = names ?? {};
  const isUnread = sql`not exists (select from mirrored_repositories where ${isKey(sql, key)} and read_to is not null)`;
  await sql`
    with asked as (${askingAll(sql, key, isUnread)})
    insert into mirrored_repositories as m (owner_key, repo_key, owner, repo, repository_id, read_to)
    values (${key.owner_key}, ${key.repo_key}, ${owner}, ${repo}, ${id}, ${at})
    on conflict (owner_key, repo_key) do update
    set owner = coalesce(excluded.owner, m.owner), repo = coalesce(excluded.repo, m.repo),
      repository_id = coalesce(m.repository_id, excluded.repository_id), read_to = coalesce(m.read_to, excluded.read_to)
    where m.read_to is null or m.repository_id is null and excluded.repository_id is not null
      or (m.owner, m.repo) is distinct from (coalesce(excluded.owner, m.owner), coalesce(excluded.repo, m.repo))
  `;
};

/** Puts another repository in the place of the one known by this name. False if somebody was first. */
export const replaceRepository = async (
  sql: Queryable,
  key: RepositoryKey,
  knownId: number,
  { id, owner, repo }: HostRepository,
  at: string | null,
): Promise<boolean> => {
  const rows = await sql`
    update mirrored_repositories
    set repository_id = ${id}, owner = ${owner}, repo = ${repo}, read_to = ${at}, unreadable_since = null
    where ${isKey(sql, key)} and repository_id = ${knownId}
    returning owner_key
  `;
  return rows.length > 0;
};

/**
 * Keeps that the repository can be read, and that everything that changed before `readTo` was; undefined if not all of it
 * was. It may be earlier than before: the host's clock may have been wrong.
 */
export const noteLook = async (sql: Queryable, key: RepositoryKey, readTo: string | undefined): Promise<void> => {
  await sql`
    update mirrored_repositories
    set looked_at = now(), failure = null, unreadable_since = null, read_to = coalesce(${readTo ?? null}, read_to)
    where ${isKey(sql, key)}
  `;
};

/** Keeps that our token may not read the repository, and answers since when not. */
export const noteUnreadable = async (sql: Queryable, key: RepositoryKey, begunAt: string): Promise<string> => {
  const [row] = await sql<[{ unreadable_since: string }]>`
    insert into mirrored_repositories as m (owner_key, repo_key, unreadable_since, looked_at)
    values (${key.owner_key}, ${key.repo_key}, ${begunAt}, now())
    on conflict (owner_key, repo_key) do update
    set unreadable_since = coalesce(m.unreadable_since, excluded.unreadable_since), looked_at = now(), failure = null
    returning unreadable_since
  `;
  return row.unreadable_since;
};

export const noteFailure = async (sql: Queryable, key: RepositoryKey, failure: string): Promise<void> => {
  await sql`
    insert into mirrored_repositories (owner_key, repo_key, looked_at, failure)
    values (${key.owner_key}, ${key.repo_key}, now(), ${failure})
    on conflict (owner_key, repo_key) do update set looked_at = now(), failure = excluded.failure
  `;
};

/** Forgets the repositories that no task is linked to any more, and what was asked about them. */
export const forgetUnlinked = async (sql: Queryable): Promise<void> => {
  // `offset 0`: one look into the index for each row, never all linked tasks against all rows.
  const isUnlinked = sql`not exists (
    select from tasks
    where git_link is not null and lower(git_link ->> 'owner') = owner_key and lower(git_link ->> 'repo') = repo_key
    offset 0
  )`;
  await sql`delete from mirrored_repositories where ${isUnlinked}`;
  await sql`delete from mirror_questions where ${isUnlinked}`;
};
