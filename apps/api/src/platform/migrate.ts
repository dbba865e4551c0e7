// Brings the schema up to date: each file of migrations/ once, in order, one replica at a time.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Sql, transact } from "./database.ts";

const folder = join(import.meta.dirname, "../../migrations");

// Any constant: it only has to be the same in every replica.
const lockId = 7_452_001;

const names = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** Applies what is missing and returns the names applied. A failed file leaves nothing of itself behind. */
export const migrate = (sql: Sql): Promise<string[]> =>
  transact(sql, async (transaction) => {
    await transaction`set local statement_timeout = 0`;
    await transaction`set local lock_timeout = 0`;
    await transaction`set local idle_in_transaction_session_timeout = 0`;
    await transaction`select pg_advisory_xact_lock(${lockId})`;
    await transaction`
      create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())
    `;
    const applied = new Set(
      (await transaction<{ name: string }[]>`select name from migrations`).map(({ name }) => name),
    );
    const missing = names.filter((name) => !applied.has(name));
    for (const name of missing) {
      await transaction.unsafe(readFileSync(join(folder, name), "utf8"));
      await transaction`insert into migrations (name) values (${name})`;
    }
    return missing;
  });

/** Whether the database answers and has every migration this process knows. */
export const isMigrated = async (sql: Sql): Promise<boolean> => {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`;
  if (!table?.exists) return false;
  const applied = await sql<{ name: string }[]>`select name from migrations`;
  const known = new Set(applied.map(({ name }) => name));
  return names.every((name) => known.has(name));
};
