// Sums of tokens, which a bigint may not hold, as numbers that JSON can.
import type { Fragment, Queryable } from "../platform/database.ts";

const max = Number.MAX_SAFE_INTEGER;

/** The sum, cut at 2^53-1. */
export const tokenSum = (sql: Queryable, sum: Fragment) => sql`least(greatest(${sum}, ${-max}), ${max})::bigint`;
