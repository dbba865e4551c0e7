// The table idempotency_keys (D-17): which key of which caller created what.
import type { Fragment, Queryable, Sql, Transaction } from "../platform/database.ts";
import type { CreationKey } from "./creation-keys.ts";

/** A key and what is being created with it. */
export interface BindingKey extends CreationKey {
  /** In the order of the answer. */
  resource_ids: readonly string[];
}

const isOver = (sql: Queryable) => sql`created_at < now() - interval '7 days'`;

/**
 * Binds those of the keys that are free and returns what they are bound to: to be run by itself in the transaction, or
 * as a part of the statement, that creates it, and then unless `condition` says that nothing will be created. Waits for
 * whoever is binding one of them at this moment.
 */
export const bindKeys = (sql: Queryable, keys: readonly BindingKey[], condition: Fragment = sql`true`) => sql<
  Pick<BindingKey, "resource_ids">[]
>`
  insert into idempotency_keys (sub, key, fingerprint, resource_ids)
  select sub, key, fingerprint, resource_ids
  from json_to_recordset(${JSON.stringify(keys)}::text::json) as given (sub text, key text, fingerprint text, resource_ids uuid[])
  where ${condition} order by sub, key
  on conflict do nothing returning resource_ids
`;

/** Binds the key, if there is one, to the only thing that this transaction creates. False if it is bound already. */
export const bindKey = async (sql: Transaction, key: CreationKey | undefined, id: string): Promise<boolean> =>
  key === undefined || (await bindKeys(sql, [{ ...key, resource_ids: [id] }])).length > 0;

/** Whether a statement gave up waiting for whoever is binding its key at this moment. */
export const isKeyHeld = (error: unknown): boolean => {
  const { code, where = "" } = error as { code?: string; where?: string };
  return code === "55P03" && where.includes("idempotency_keys");
};

/** What the key of this caller is bound to. One that is over is forgotten first. */
export const findBoundKey = async (
  sql: Sql,
  { sub, key }: CreationKey,
): Promise<Pick<BindingKey, "fingerprint" | "resource_ids"> | undefined> => {
  const [bound] = await sql<(Pick<BindingKey, "fingerprint" | "resource_ids"> & { is_over: boolean })[]>`
    select fingerprint, resource_ids, ${isOver(sql)} as is_over from idempotency_keys where sub = ${sub} and key = ${key}
  `;
  if (!bound?.is_over) return bound;
  await sql`delete from idempotency_keys where sub = ${sub} and key = ${key} and ${isOver(sql)}`;
  return undefined;
};

const batch = 1000;

/** Forgets the keys that are over, some at a time; what another replica is forgetting is left to it. */
export const forgetKeys = async (sql: Sql): Promise<void> => {
  const { count } = await sql`
    delete from idempotency_keys where (sub, key) in (
      select sub, key from idempotency_keys where ${isOver(sql)} order by created_at limit ${batch} for update skip locked
    )
  `;
  if (count === batch) await forgetKeys(sql);
};
