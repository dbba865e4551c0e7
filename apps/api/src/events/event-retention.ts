// Forgets events that are older than they are kept (D-28), a little at a time.
import { type Sql, type Transaction, transact } from "../platform/database.ts";

const batchRows = 1000;
// Any constant that nothing else uses.
const lockId = 7_452_004;

interface Batch {
  deleted: number;
  /** Null after the last one. */
  upTo: string | null;
}

const forgetBatch = async (sql: Transaction, from: string, days: number): Promise<Batch> => {
  const [lock] = await sql<{ is_held: boolean }[]>`select pg_try_advisory_xact_lock(${lockId}) as is_held`;
  if (!lock?.is_held) return { deleted: 0, upTo: null };
  const isOld = sql`at < now() - make_interval(days => ${days})`;
  const [step] = await sql<{ at: string }[]>`
    select at from events where at > ${from}::timestamptz and ${isOld} order by at offset ${batchRows - 1} limit 1
  `;
  const upTo = step?.at ?? null;
  const { count } = await sql`
    delete from events e
    where at > ${from}::timestamptz and ${isOld} ${upTo === null ? sql`` : sql`and at <= ${upTo}::timestamptz`}
      and not exists (select from tasks t where t.id = e.task_id and t.updated_at = e.at)
  `;
  return { deleted: count, upTo };
};

/**
 * Deletes events older than `days`, except the last word on a task that is still there, which the list of what was
 * updated last needs. Returns how many it deleted; what another replica is at it leaves alone.
 */
export const forgetEvents = async (sql: Sql, days: number): Promise<number> => {
  let deleted = 0;
  for (let from: string | null = "-infinity"; from !== null; ) {
    const after: string = from;
    const batch = await transact(sql, (transaction) => forgetBatch(transaction, after, days));
    deleted += batch.deleted;
    from = batch.upTo;
  }
  return deleted;
};
