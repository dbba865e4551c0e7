// Which tasks are linked to what on the git host (D-12, D-34): found by owner, repository and number, never by a URL.
import type { GitLink } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import type { Fragment, Queryable } from "../platform/database.ts";

/** A repository without regard to case: its names in lower case. */
export interface RepositoryKey {
  owner_key: string;
  repo_key: string;
}

/** An issue, by the names that a task has for it. */
export type LinkedIssue = Pick<GitLink, "owner" | "repo" | "number">;

export interface LinkedTask {
  id: string;
  git_link: GitLink;
}

export const keyOf = ({ owner, repo }: Repository): RepositoryKey => ({
  owner_key: owner.toLowerCase(),
  repo_key: repo.toLowerCase(),
});

const ownerOf = (sql: Queryable) => sql`lower(git_link ->> 'owner')`;
const repoOf = (sql: Queryable) => sql`lower(git_link ->> 'repo')`;
const numberOf = (sql: Queryable) => sql`(git_link ->> 'number')::bigint`;
const confirmedAt = (sql: Queryable) => sql`(git_state ->> 'synced_at')`;

/** To stand behind `from tasks where`. */
const isLinkedTo = (sql: Queryable, { owner_key, repo_key }: RepositoryKey): Fragment =>
  sql`git_link is not null and ${ownerOf(sql)} = ${owner_key} and ${repoOf(sql)} = ${repo_key}`;

/**
 * The database's clock, whose time every `synced_at` is. A millisecond goes by first: all that was written before this
 * call is earlier in the digits that are kept.
 */
export const databaseTime = async (sql: Queryable): Promise<string> => {
  const [row] = await sql<[{ now: string }]>`select clock_timestamp() as now from pg_sleep(0.001)`;
  return row.now;
};

export const findLinkedTasks = (
  sql: Queryable,
  key: RepositoryKey,
  numbers: readonly number[],
): Promise<LinkedTask[]> => sql<LinkedTask[]>`
  select id, git_link from tasks where ${isLinkedTo(sql, key)} and ${numberOf(sql)} = any(${numbers}::bigint[]) order by id
`;

export const listLinkedTasks = (sql: Queryable, key: RepositoryKey): Promise<LinkedTask[]> => sql<LinkedTask[]>`
  select id, git_link from tasks where ${isLinkedTo(sql, key)} order by id
`;

/** All repositories that tasks are linked to, as one of them names each; every step of it is one look into the index. */
export const listLinkedRepositories = (sql: Queryable): Promise<Repository[]> => {
  const first = (after: Fragment) => sql`
    select ${ownerOf(sql)} as owner_key, ${repoOf(sql)} as repo_key, git_link from tasks
    where git_link is not null ${after} order by 1, 2 limit 1
  `;
  return sql<Repository[]>`
    with recursive linked as (
      (${first(sql``)})
      union all
      select next.* from linked l cross join lateral (
        ${first(sql`and (${ownerOf(sql)}, ${repoOf(sql)}) > (l.owner_key, l.repo_key)`)}
      ) next
    )
    select git_link ->> 'owner' as owner, git_link ->> 'repo' as repo from linked
  `;
};

/** The statement that selects the numbers linked to whose task fulfils `condition`, each once. */
export const linkedNumbers = (sql: Queryable, key: RepositoryKey, condition: Fragment): Fragment =>
  sql`select distinct ${numberOf(sql)} as number from tasks where ${isLinkedTo(sql, key)} and ${condition}`;

/** Numbers to be read one by one, by the reason for it. */
export interface NumbersToRead {
  /** Only a read can tell what is true. */
  asked: number[];
  /** Nothing is known of them. */
  unknown: number[];
  /** Confirmed longest ago. */
  old: number[];
}

/** What `limit` tasks are linked to that were confirmed before `before`, the longest ago first, and all that must be read. */
export const listNumbersToRead = async (
  sql: Queryable,
  key: RepositoryKey,
  { before, limit }: { before: string; limit: number },
): Promise<NumbersToRead> => {
  const rows = await sql<{ reason: keyof NumbersToRead; number: number }[]>`
    select 'asked' as reason, number from mirror_questions
    where owner_key = ${key.owner_key} and repo_key = ${key.repo_key}
    union all (select 'unknown', number from (${linkedNumbers(sql, key, sql`${confirmedAt(sql)} is null`)}) unknown)
    union all (
      select 'old', ${numberOf(sql)} from tasks where ${isLinkedTo(sql, key)} and ${confirmedAt(sql)} < ${before}
      order by ${confirmedAt(sql)} nulls first limit ${limit}
    )
  `;
  const numbers = (reason: keyof NumbersToRead) => [
    ...new Set(rows.flatMap((row) => (row.reason === reason ? row.number : []))),
  ];
  return { asked: numbers("asked"), unknown: numbers("unknown"), old: numbers("old") };
};

/** Tasks of which nothing was read or delivered since `since`, and which are not unreadable already. */
export const findTasksUnconfirmedSince = (sql: Queryable, key: RepositoryKey, since: string): Promise<LinkedTask[]> =>
  sql<LinkedTask[]>`
    select id, git_link from tasks
    where ${isLinkedTo(sql, key)}
      and (${confirmedAt(sql)} is null or ${confirmedAt(sql)} < ${since} and git_state ->> 'state' <> 'unreadable')
    order by id
  `;
