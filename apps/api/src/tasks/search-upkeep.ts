// Keeps search quick: what was created waits in a list of the index that every search reads whole.
import type { Sql } from "../platform/database.ts";

/** Merges that list into the index, which else some create would have to do. Left to autovacuum if the role does not own it. */
export const mergeSearchEntries = async (sql: Sql): Promise<void> => {
  await sql`
    select gin_clean_pending_list(oid::regclass) from pg_class
    where oid = 'tasks_search'::regclass and pg_has_role(relowner, 'usage')
  `;
};
