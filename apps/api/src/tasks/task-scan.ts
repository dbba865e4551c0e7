// Finding the tasks of several filters in the order of their creation: step by step along the stream with the fewest to look at.
import type { Fragment, Sql } from "../platform/database.ts";
import type { Reading } from "./task-columns.ts";
import { isMatch, type ResolvedFilters } from "./task-filters.ts";
import { direction, type Span, type Stream, streamsOf } from "./task-streams.ts";

/** How many ids of a stream are looked at in the first step, for each task that is wanted. */
export const firstLooks = 4;
/** So many times as many in each further one. */
export const growth = 8;
/** How far a stream is followed to see how dense it is. */
const probedIds = 500;

export interface Wanted {
  isDescending: boolean;
  /** The id behind which to begin. */
  after: string | undefined;
  /** So many tasks. */
  count: number;
}

interface Step<R> {
  rows: R[];
  /** The id up to which all is known now; null: there is no more. */
  reached: string | null;
}

/** The id that ends the span of the stream, as a value; null if there are fewer. */
export const endOf = (sql: Sql, stream: Stream, span: Span): Fragment =>
  sql`(select id from (${stream(span)}) part order by id ${direction(sql, span)} offset ${span.limit - 1} limit 1)`;

/**
 * Of the tasks in a span of the stream the first `count` for which the condition on `t` holds, and how far that went. Looks
 * at no more tasks than it takes, as the stream has the order of the answer.
 */
export const look = async <R extends { id: string }>(
  sql: Sql,
  stream: Stream,
  span: Span,
  condition: Fragment,
  count: number,
  { columns, joins }: Reading,
): Promise<Step<R>> => {
  const rows = await sql<(R & { reached: string | null })[]>`
    with found as materialized (
      select t.* from (${stream(span)}) candidate
      cross join lateral (select * from tasks t where t.id = candidate.id ${condition} offset 0) t
      order by candidate.id ${direction(sql, span)} limit ${count}
    )
    select known.reached, page.* from (
      select case when (select count(*) from found) < ${count} then ${endOf(sql, stream, span)} end as reached
    ) known
    left join (select ${columns} from found t ${joins}) page on true
    order by page.id ${direction(sql, span)}
  `;
  return { rows: rows.filter(({ id }) => id !== null), reached: rows[0]?.reached ?? null };
};

export interface Lead {
  stream: Stream;
  /** The id that ends the span in it; null: it has not so many. */
  reached: string | null;
}

/** Of `streams` the one in which the span reaches furthest: whatever is let through is in each of them. */
export const findSparsest = async (sql: Sql, streams: readonly Stream[], span: Span): Promise<Lead> => {
  const ends = streams.map((stream) => endOf(sql, stream, span));
  const [{ reached }] = await sql<[{ reached: (string | null)[] }]>`
    select json_build_array(${ends.reduce((all, end) => sql`${all}, ${end}`)}) as reached
  `;
  const leads = streams.map((stream, index): Lead => ({ stream, reached: reached[index] ?? null }));
  const isFurther = (end: string | null, than: string | null) =>
    than !== null && (end === null || (span.isDescending ? end < than : end > than));
  return leads.reduce((best, lead) => (isFurther(lead.reached, best.reached) ? lead : best));
};

/**
 * The first tasks that `filters` let through, in order. Each step follows the stream that is sparsest where it begins, and
 * makes sure of all up to some id; the next goes on from there, with eight times as many to look at.
 */
export const scanTasks = async <R extends { id: string }>(
  sql: Sql,
  filters: ResolvedFilters,
  wanted: Wanted,
  reading: Reading,
): Promise<R[]> => {
  const { isDescending, count } = wanted;
  const streams = streamsOf(sql, filters);
  const condition = isMatch(sql, filters.row);
  const [only, ...others] = streams;
  const lead = async (after: string | undefined): Promise<Pick<Lead, "stream">> =>
    only && others.length === 0
      ? { stream: only }
      : findSparsest(sql, streams, { isDescending, after, limit: probedIds });
  const found: R[] = [];
  let { after } = wanted;
  for (let limit = count * firstLooks; ; limit *= growth) {
    const { stream } = await lead(after);
    const span = { isDescending, after, limit };
    const { rows, reached } = await look<R>(sql, stream, span, condition, count - found.length, reading);
    found.push(...rows);
    if (found.length >= count || reached === null) return found;
    after = reached;
  }
};
