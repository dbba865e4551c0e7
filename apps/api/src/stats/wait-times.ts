// How long tasks waited, as histograms (D-29): they can be summed over time, which percentiles cannot.
import type { DispatchRate } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";

/** A bucket is by this part of a doubling wider than the one before. */
const bucketsPerDoubling = 4;

/** The bucket of a wait: 0 up to 1 ms, then n up to 2^(n/4) ms. */
export const bucketOf = (sql: Queryable, waitedMs: ReturnType<Queryable>) =>
  sql`ceil(${bucketsPerDoubling} * ln(greatest(${waitedMs}, 1)::float8) / ln(2::float8))::smallint`;

export interface WaitBucket {
  bucket: number;
  count: number;
}

/** The last whole millisecond that a bucket holds. */
const lastOf = (bucket: number): number => Math.floor(2 ** (bucket / bucketsPerDoubling));

/** Between the first and the last whole millisecond of a bucket: within a tenth, or a millisecond, of all it holds. */
const middleOf = (bucket: number): number =>
  bucket <= 0 ? 1 : Math.round(Math.sqrt((lastOf(bucket - 1) + 1) * lastOf(bucket)));

/** The wait that so many per cent did not exceed, in milliseconds; null of nothing. */
const percentile = (ascending: readonly WaitBucket[], total: number, percent: number): number | null => {
  let seen = 0;
  const found = ascending.find(({ count }) => {
    seen += count;
    return seen * 100 >= total * percent;
  });
  return found ? middleOf(found.bucket) : null;
};

/** Of buckets in any order. */
export const percentilesOf = (buckets: readonly WaitBucket[]): DispatchRate["wait_ms"] => {
  const ascending = buckets.toSorted((one, other) => one.bucket - other.bucket);
  const total = ascending.reduce((sum, { count }) => sum + count, 0);
  const at = (percent: number) => percentile(ascending, total, percent);
  return { p50: at(50), p90: at(90), p95: at(95), p99: at(99) };
};
