// The mirror_questions table: linked issues of which only a read can tell what is true, kept until one has (D-34).
import type { Fragment, Queryable } from "../platform/database.ts";
import { keyOf, type LinkedIssue, linkedNumbers, type RepositoryKey } from "./linked-task-queries.ts";

/** The statement that asks about every (owner_key, repo_key, number) that `rows` selects, each once. */
const insertQuestions = (sql: Queryable, rows: Fragment): Fragment => sql`
  insert into mirror_questions (owner_key, repo_key, number) ${rows}
  on conflict (owner_key, repo_key, number) do update set asked_at = clock_timestamp()
`;

/** A part of a statement: asks about the issue if `condition`, which may stand on `from`, holds. */
export const asking = (sql: Queryable, issue: LinkedIssue, from: Fragment, condition: Fragment): Fragment => {
  const { owner_key, repo_key } = keyOf(issue);
  return insertQuestions(
    sql,
    sql`select ${owner_key}::text, ${repo_key}::text, ${issue.number}::bigint ${from} where ${condition}`,
  );
};

/** Keeps that the issue is to be read, by a read that begins later than now. */
export const ask = async (sql: Queryable, issue: LinkedIssue): Promise<void> => {
  await asking(sql, issue, sql``, sql`true`);
};

/** The statement that asks about every issue of the repository of which something is known, if `condition` holds. */
export const askingAll = (sql: Queryable, key: RepositoryKey, condition: Fragment): Fragment =>
  insertQuestions(
    sql,
    sql`
      select ${key.owner_key}::text, ${key.repo_key}::text, number
      from (${linkedNumbers(sql, key, sql`git_state is not null`)}) known where ${condition} order by number
    `,
  );

/** Asks about every issue of the repository of which something is known: all of it may be old. */
export const askAll = async (sql: Queryable, key: RepositoryKey): Promise<void> => {
  await askingAll(sql, key, sql`true`);
};

/** Takes away what was asked about these numbers before `begunAt`, by the database's clock: a read that began then has told. */
export const settle = async (
  sql: Queryable,
  { owner_key, repo_key }: RepositoryKey,
  numbers: readonly number[],
  begunAt: string,
): Promise<void> => {
  await sql`
    with settled as materialized (
      select number from mirror_questions
      where owner_key = ${owner_key} and repo_key = ${repo_key} and number = any(${numbers}::bigint[])
        and asked_at < ${begunAt}::timestamptz
      order by number for update
    )
    delete from mirror_questions q using settled s
    where q.owner_key = ${owner_key} and q.repo_key = ${repo_key} and q.number = s.number
  `;
};
