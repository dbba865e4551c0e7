// Indexes of tables that are being filled: taken away before, and built at once after, which is many times quicker.
import type { Client } from "pg";

const definitionsOf = `
  select pg_get_indexdef(i.indexrelid) as definition, i.indexrelid::regclass::text as name
  from pg_index i where i.indrelid = any($1::regclass[])
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
`;

/** Fills without the indexes that stand for no constraint; they are there again afterwards. */
export const withoutIndexes = async (
  client: Client,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ definition: string; name: string }>(definitionsOf, [tables]);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
};
