// Finding tasks by words (D-16) in the order of their creation: a few are read themselves, then the index is asked, window by window.
import type { Sql } from "../platform/database.ts";
import {
  askIndex,
  beginningIn,
  type Found,
  hasWords,
  holds,
  type Window,
  wholeWords,
  windowFrom,
} from "./search-index.ts";
import { asId, type Reading } from "./task-columns.ts";
import type { ResolvedFilters } from "./task-filters.ts";
import { endOf, findSparsest, scanTasks, type Wanted } from "./task-scan.ts";
import { direction, type Span, type Stream, streamsOf } from "./task-streams.ts";

/** How often a window is as long as the one before it. */
const growth = 16;

export interface SearchSizes {
  /** So many tasks are read themselves first: a word that many of them hold is found at once. */
  readTasks: number;
  /** So many more (or three for each that is wanted) at most, while as many hold the words as before; and at once, where few are left. */
  maxReadTasks: number;
  /** So many show how dense the tasks are. */
  probedTasks: number;
  /** The first window of the index is as long as holds about so many tasks. */
  windowTasks: number;
  /** So many entries are fetched without a window: of rare words all are seen at once. */
  maxFetched: number;
}
const usualSizes: SearchSizes = {
  probedTasks: 500,
  readTasks: 128,
  maxReadTasks: 1024,
  windowTasks: 16_384,
  maxFetched: 4000,
};

const hasMore = async (sql: Sql, stream: Stream, span: Span): Promise<boolean> => {
  const [{ end }] = await sql<[{ end: string | null }]>`select ${endOf(sql, stream, span)} as end`;
  return end !== null;
};

/** Of these tasks the first that have the words, found by reading them. */
const readTexts = <R extends { id: string }>(
  sql: Sql,
  ids: readonly string[],
  words: string,
  { isDescending, count }: Pick<Wanted, "isDescending" | "count">,
  { columns, joins }: Reading,
): Promise<R[]> => {
  const order = direction(sql, { isDescending });
  return sql<R[]>`
    with found as materialized (
      select t.* from (select id from unnest(${[...ids]}::uuid[]) as near (id) order by id ${order} offset 0) near
      cross join lateral (select * from tasks t where t.id = near.id ${hasWords(sql, words)} offset 0) t
      order by near.id ${order} limit ${count}
    )
    select ${columns} from found t ${joins} order by t.id ${order}
  `;
};

/** One of so many tasks holds what is frequent. */
const frequentShare = 20;

/**
 * The words to ask the index for. A beginning that is frequent in these tasks is left to be read, if there are other words:
 * the index would collect all that begin so before anything else narrows them.
 */
const wordsToIndex = async (sql: Sql, words: string, ids: readonly string[]): Promise<string> => {
  const beginning = beginningIn(words);
  const whole = wholeWords(words);
  if (beginning === undefined || whole === words) return words;
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) from tasks t where t.id = any(${[...ids]}::uuid[]) ${holds(sql, beginning)}
  `;
  return count * frequentShare > ids.length ? whole : words;
};

/** The first tasks with these words that `filters` let through, in order. */
export const searchTasks = async <R extends { id: string }>(
  sql: Sql,
  filters: ResolvedFilters,
  words: string,
  { isDescending, after, count }: Wanted,
  reading: Reading,
  { readTasks, maxReadTasks, probedTasks, maxFetched, windowTasks }: SearchSizes = usualSizes,
): Promise<R[]> => {
  const found: R[] = [];
  let position = after;
  let indexed = words;
  let lastRead: readonly string[] = [];

  /** Reads the next tasks themselves. False if there are no more, or enough were found. */
  const read = async (tasks: number): Promise<boolean> => {
    const next = await scanTasks<{ id: string }>(
      sql,
      filters,
      { isDescending, after: position, count: tasks },
      asId(sql),
    );
    const ids = next.map(({ id }) => id);
    lastRead = ids;
    found.push(...(await readTexts<R>(sql, ids, words, { isDescending, count: count - found.length }, reading)));
    position = ids.at(-1) ?? position;
    return found.length < count && ids.length === tasks;
  };
  const ask = (window: Window | undefined, limit?: number): Promise<Found<R>> => {
    const wanted = { isDescending, after: position, count: count - found.length };
    return askIndex<R>(sql, filters, { words, indexed }, wanted, window, reading, limit);
  };
  const isEnough = async (window: Window): Promise<boolean> => {
    found.push(...(await ask(window)).rows);
    position = window.end;
    return found.length >= count;
  };

  for (let seen = 0, next = readTasks; next <= Math.max(maxReadTasks, 3 * count); ) {
    if (!(await read(next))) return found;
    seen += next;
    // As many as hold what is still wanted, if the words are as frequent there, and half as many more.
    next = Math.ceil((1.5 * seen * (count - found.length)) / found.length);
  }
  indexed = await wordsToIndex(sql, words, lastRead);

  const { stream, reached } = await findSparsest(sql, streamsOf(sql, filters), {
    isDescending,
    after: position,
    limit: probedTasks,
  });
  if (reached !== null && position !== undefined) {
    const near = windowFrom(position, reached, windowTasks / probedTasks, isDescending);
    if (await isEnough(near)) return found;
    const few = await ask(undefined, maxFetched);
    if (!few.isCut) return [...found, ...few.rows];
    if (await isEnough(windowFrom(near.nearest, near.end, growth, isDescending))) return found;
    // The words are frequent, but not where the filters lead: if few tasks are left there, those are read.
    const isLong = await hasMore(sql, stream, { isDescending, after: position, limit: windowTasks });
    if (isLong) return [...found, ...(await ask(undefined)).rows];
  }
  while (await read(maxReadTasks));
  return found;
};
