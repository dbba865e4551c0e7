// Forgets events that are older than they are kept (D-28), a little at a time.
import { type Sql, type Transaction, transact } from "../platform/database.ts";

const batchRows = 1000;
// Any constant that nothing else uses.
const lockId = 7_452_004;

const beginning = "-infinity";
const dayMs = 86_400_000;

interface Batch {
  deleted: number;
  /** All that is as old as this has been looked at. */
  upTo: string;
  isLast: boolean;
}

/** Undefined while another replica is at it. */
const forgetBatch = async (sql: Transaction, from: string, days: number): Promise<Batch | undefined> => {
  const [lock] = await sql<{ is_held: boolean }[]>`select pg_try_advisory_xact_lock(${lockId}) as is_held`;
  if (!lock?.is_held) return undefined;
  const isOld = sql`at < now() - make_interval(days => ${days})`;
  const [step] = await sql<[{ at: string | null; bound: string }]>`
    select (
      select at from events where at > ${from}::timestamptz and ${isOld} order by at offset ${batchRows - 1} limit 1
    ) as at, now() - make_interval(days => ${days}) as bound
  `;
  const { count } = await sql`
    delete from events e
    where at > ${from}::timestamptz and ${isOld} ${step.at === null ? sql`` : sql`and at <= ${step.at}::timestamptz`}
      and not exists (select from tasks t where t.id = e.task_id and t.updated_at = e.at)
  `;
  return { deleted: count, upTo: step.at ?? step.bound, isLast: step.at === null };
};

/**
 * Makes a function that deletes events older than `days`, except the last word on a task that is still there, which the
 * list of what was updated last needs. It resolves to how many it deleted; what another replica is at it leaves alone.
 * Each call goes on where the one before came to; once a day it begins anew, for what was not the last word for ever.
 */
export const createEventRetention = (sql: Sql, days: number, now: () => number = Date.now): (() => Promise<number>) => {
  let from = beginning;
  let begunAtMs = now();
  return async () => {
    if (now() - begunAtMs >= dayMs) {
      from = beginning;
      begunAtMs = now();
    }
    let deleted = 0;
    for (let isLast = false; !isLast; ) {
      const batch = await transact(sql, (transaction) => forgetBatch(transaction, from, days));
      if (!batch) break;
      deleted += batch.deleted;
      from = batch.upTo;
      isLast = batch.isLast;
    }
    return deleted;
  };
};
