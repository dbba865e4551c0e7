// What an operator must know of the database: what holds its rows back from being cleaned, and who is connected.
import type { Queryable, Sql } from "./database.ts";

/**
 * The age of the oldest snapshot that any session holds, in seconds. While one is open no dead row is cleaned away.
 * Sessions of other roles show theirs only to members of `pg_read_all_stats`.
 */
export const readOldestSnapshotSeconds = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<[{ seconds: number }]>`
    select greatest(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds from pg_stat_activity
    where backend_xmin is not null and backend_type <> 'autovacuum worker' and pid <> pg_backend_pid()
  `;
  return row.seconds;
};

export interface ConnectionCount {
  pool: string;
  state: string;
  count: number;
}

const applicationPrefix = "task-service ";

/** The connections of all replicas, by pool and whether they work. */
export const countConnections = (sql: Sql): Promise<ConnectionCount[]> => sql<ConnectionCount[]>`
  select substr(application_name, ${applicationPrefix.length + 1}) as pool, coalesce(state, 'unknown') as state, count(*)
  from pg_stat_activity where datname = current_database() and starts_with(application_name, ${applicationPrefix})
  group by 1, 2
`;
