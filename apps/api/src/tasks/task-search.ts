// Finding tasks by words (D-16) in the order of their creation: the inverted index knows no order, so it is asked for one window of time after the other.
import type { Fragment, Sql } from "../platform/database.ts";
import { timeOfId } from "../platform/identifiers.ts";
import { asId, type Reading } from "./task-columns.ts";
import { isMatch, type ResolvedFilters, type RowFilters } from "./task-filters.ts";
import { endOf, findSparsest, scanTasks, type Wanted } from "./task-scan.ts";
import { direction, type Span, type Stream, streamsOf } from "./task-streams.ts";

export interface SearchSizes {
  /** So many tasks are read themselves first: a word that many of them hold is found at once. */
  readTasks: number;
  /** So many more at most, if as many hold the words as among the first; and at once, where few tasks are left to read. */
  maxReadTasks: number;
  /** So many tasks are in the first window of the index. */
  windowTasks: number;
  /** So many entries are fetched without a window: of rare words all are seen at once. */
  maxFetched: number;
}
const usualSizes: SearchSizes = { readTasks: 128, maxReadTasks: 1024, windowTasks: 16_384, maxFetched: 4000 };
/** How often a window is as long as the one before it. */
const growth = 16;
/** A beginning so short is one of too many words: the index would collect all of them first. */
const shortBeginning = 2;
/** More marks than this narrow nothing. */
const maxMarks = 20;

/** The marks of `search_terms` for time: how many bits of milliseconds each stands for, finest first. */
const markBits = [12, 16, 20, 24, 28];

const anyOf = (marks: readonly string[]): string[] =>
  marks.length > 0 && marks.length <= maxMarks ? [`(${marks.map((mark) => `'${mark}'`).join(" | ")})`] : [];

/** The beginning of all ids made in the `n`-th piece of time of so many bits. */
const idBeginning = (n: number, bits: number): string =>
  n
    .toString(16)
    .padStart(12 - bits / 4, "0")
    .replace(/^(.{8})(.+)$/, "$1-$2");

const timeMarks = (fromMs: number, toMs: number): string[] => {
  const piece = (ms: number, bits: number) => Math.floor(ms / 2 ** bits);
  const bits = markBits.find((bits) => piece(toMs, bits) - piece(fromMs, bits) < maxMarks);
  if (bits === undefined) return [];
  const first = piece(fromMs, bits);
  return Array.from({ length: piece(toMs, bits) - first + 1 }, (_, n) => `#t${idBeginning(first + n, bits)}`);
};

const rowMarks = ({ organization, assignee }: RowFilters): string[] => [
  ...anyOf((organization ?? []).map((id) => `#o${id}`)),
  ...(assignee?.people.length === 0 ? anyOf(assignee.agentTypes.map((id) => `#a${id}`)) : []),
];

/** From beyond the last id known to `end`; without it, to the end of all. */
interface Window {
  nearest: string | undefined;
  end: string | undefined;
}

const everything: Window = { nearest: undefined, end: undefined };

interface Found<R> {
  rows: R[];
  /** Of the entries there were more than could be fetched: it says nothing of the others. */
  isCut: boolean;
}

/** The words as the index is asked for them: without a last one that is too short, if there are others. */
const indexedWords = (words: string): string => {
  const all = words.split(" & ");
  const indexed = all.filter((word) => !word.endsWith(":*") || [...word].length > shortBeginning + "'':*".length);
  return (indexed.length > 0 ? indexed : all).join(" & ");
};

/** What the index holds of a window; `maxFetched` entries at most. */
const askIndex = async <R extends { id: string }>(
  sql: Sql,
  { row }: ResolvedFilters,
  words: string,
  { isDescending, after, count }: Wanted,
  { nearest, end }: Window,
  { columns, joins }: Reading,
  maxFetched?: number,
): Promise<Found<R>> => {
  const times = [nearest, end].flatMap((id) => (id === undefined ? [] : timeOfId(id)));
  const marks = times.length < 2 ? [] : anyOf(timeMarks(Math.min(...times), Math.max(...times)));
  const indexed = indexedWords(words);
  const query = [`(${indexed})`, ...rowMarks(row), ...marks].join(" & ");
  const remaining = indexed === words ? sql`` : hasWords(sql, words);
  const beyond = after === undefined ? sql`` : isDescending ? sql`and t.id < ${after}` : sql`and t.id > ${after}`;
  const within = end === undefined ? sql`` : isDescending ? sql`and t.id >= ${end}` : sql`and t.id <= ${end}`;
  const order = direction(sql, { isDescending });
  const rows = await sql<(R & { entries: number })[]>`
    with entry as ${maxFetched === undefined ? sql`not materialized` : sql`materialized`} (
      select * from tasks where search_terms(id, organization_id, agent_type_id, title, prompt) @@ ${query}::tsquery
      ${maxFetched === undefined ? sql`offset 0` : sql`limit ${maxFetched + 1}`}
    ), found as (
      select t.* from entry t where true ${isMatch(sql, row)} ${beyond} ${within} ${remaining}
      order by t.id ${order} limit ${count}
    )
    select known.entries, page.* from (
      select ${maxFetched === undefined ? sql`0` : sql`(select count(*) from entry)`} as entries
    ) known
    left join (select ${columns} from found t ${joins}) page on true
    order by page.id ${order}
  `;
  return {
    rows: rows.filter(({ id }) => id !== null),
    isCut: maxFetched !== undefined && (rows[0]?.entries ?? 0) > maxFetched,
  };
};

const firstWindow = async (sql: Sql, stream: Stream, span: Span): Promise<Window> => {
  const [{ nearest, end }] = await sql<[{ nearest: string | null; end: string | null }]>`
    select ${endOf(sql, stream, { ...span, limit: 1 })} as nearest, ${endOf(sql, stream, span)} as end
  `;
  return { nearest: nearest ?? undefined, end: end ?? undefined };
};

/** From the end of a window on, sixteen times as long. */
const nextWindow = ({ nearest = "", end = "" }: Window, isDescending: boolean): Window => {
  const lengthMs = (timeOfId(end) - timeOfId(nearest)) * growth;
  const beginning = idBeginning(Math.max(timeOfId(end) + lengthMs, 0), 0);
  return { nearest: end, end: `${beginning}-${isDescending ? "0000-0000-000000000000" : "ffff-ffff-ffffffffffff"}` };
};

const longestWord = (words: string): string =>
  [...words.matchAll(/'([^']+)'/g)].map(([, word = ""]) => word).reduce((a, b) => (b.length > a.length ? b : a), "");

/** The condition on `t` that its words are these: reads its text, to the end only if it holds the longest of them at all. */
export const hasWords = (sql: Sql, words: string): Fragment => sql`
  and strpos(lower(t.title || ' ' || left(t.prompt, 8192)), ${longestWord(words)}) > 0
  and searched_words(t.title, t.prompt) @@ ${words}::tsquery
`;

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

/** The first tasks with these words that `filters` let through, in order. */
export const searchTasks = async <R extends { id: string }>(
  sql: Sql,
  filters: ResolvedFilters,
  words: string,
  { isDescending, after, count }: Wanted,
  reading: Reading,
  { readTasks, maxReadTasks, maxFetched, windowTasks }: SearchSizes = usualSizes,
): Promise<R[]> => {
  const found: R[] = [];
  let position = after;

  /** Reads the next tasks themselves. False if there are no more, or enough were found. */
  const read = async (tasks: number): Promise<boolean> => {
    const next = await scanTasks<{ id: string }>(
      sql,
      filters,
      { isDescending, after: position, count: tasks },
      asId(sql),
    );
    const ids = next.map(({ id }) => id);
    found.push(...(await readTexts<R>(sql, ids, words, { isDescending, count: count - found.length }, reading)));
    position = ids.at(-1) ?? position;
    return found.length < count && ids.length === tasks;
  };
  const ask = (window: Window, limit?: number): Promise<Found<R>> => {
    const wanted = { isDescending, after: position, count: count - found.length };
    return askIndex<R>(sql, filters, words, wanted, window, reading, limit);
  };

  if (!(await read(readTasks))) return found;
  // As many as hold what is still wanted, if the words are as frequent there, and half as many more.
  const expected = Math.ceil((1.5 * readTasks * (count - found.length)) / found.length);
  if (expected <= maxReadTasks && !(await read(expected))) return found;

  const stream = await findSparsest(sql, streamsOf(sql, filters), { isDescending, after: position });
  const near = await firstWindow(sql, stream, { isDescending, after: position, limit: windowTasks });
  if (near.end === undefined) {
    const few = await ask(everything, maxFetched);
    if (!few.isCut) return [...found, ...few.rows];
    // The words are frequent, but few tasks are left that the filters let through.
    while (await read(maxReadTasks));
    return found;
  }
  for (const window of [near, nextWindow(near, isDescending), everything]) {
    if (window !== near && found.length === 0) {
      const few = await ask(everything, maxFetched);
      if (!few.isCut) return few.rows;
    }
    found.push(...(await ask(window)).rows);
    if (found.length >= count) break;
    position = window.end;
  }
  return found;
};
