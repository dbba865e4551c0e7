// The inverted index of what is searched (D-16): asked for words within a window of time, as it knows no order.
import type { Fragment, Sql } from "../platform/database.ts";
import { timeOfId } from "../platform/identifiers.ts";
import type { Reading } from "./task-columns.ts";
import { isMatch, type ResolvedFilters, type RowFilters } from "./task-filters.ts";
import type { Wanted } from "./task-scan.ts";
import { direction } from "./task-streams.ts";

/** More marks than this narrow nothing. */
const maxMarks = 20;

/** The marks of `search_terms` for time: how many bits of milliseconds each stands for, finest first. */
const markBits = [12, 16, 20, 24, 28];

/** The last moment that an id can name. */
const maxIdMs = 2 ** 48 - 1;

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

/** What was created from one id on up to another. */
export interface Window {
  nearest: string;
  end: string;
}

export interface Found<R> {
  rows: R[];
  /** Of the entries there were more than could be fetched: it says nothing of the others. */
  isCut: boolean;
}

/** The word that is only the beginning of one; undefined if all are whole. */
export const beginningIn = (words: string): string | undefined => /'([^']+)':\*/.exec(words)?.[1];

/** Without the beginning, if there are other words: they alone can be asked for where it would lead to too many. */
export const wholeWords = (words: string): string =>
  words
    .split(" & ")
    .filter((word) => !word.endsWith(":*"))
    .join(" & ") || words;

const longestWord = (words: string): string =>
  [...words.matchAll(/'([^']+)'/g)].map(([, word = ""]) => word).reduce((a, b) => (b.length > a.length ? b : a), "");

/** The condition on `t` that its text holds this anywhere. */
export const holds = (sql: Sql, text: string): Fragment =>
  sql`and strpos(lower(t.title || ' ' || left(t.prompt, 8192)), ${text}) > 0`;

/** The condition on `t` that its words are these: they are told apart only if the longest of them is there at all. */
export const hasWords = (sql: Sql, words: string): Fragment => sql`
  ${holds(sql, longestWord(words))}
  and searched_words(t.title, t.prompt) @@ ${words}::tsquery
`;

export interface SearchedWords {
  words: string;
  /** Those of them that the index is asked for. */
  indexed: string;
}

/** What the index holds of a window, or of all that there is; `maxFetched` entries at most. */
export const askIndex = async <R extends { id: string }>(
  sql: Sql,
  { row }: ResolvedFilters,
  { words, indexed }: SearchedWords,
  { isDescending, after, count }: Wanted,
  window: Window | undefined,
  { columns, joins }: Reading,
  maxFetched?: number,
): Promise<Found<R>> => {
  const { end } = window ?? {};
  const times = window ? [timeOfId(window.nearest), timeOfId(window.end)] : [];
  const marks = window ? anyOf(timeMarks(Math.min(...times), Math.max(...times))) : [];
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

/** From one id on past another, so many times as far as that one is away. */
export const windowFrom = (nearest: string, towards: string, times: number, isDescending: boolean): Window => {
  const endMs = timeOfId(nearest) + (timeOfId(towards) - timeOfId(nearest)) * times;
  const beginning = idBeginning(Math.min(Math.max(Math.round(endMs), 0), maxIdMs), 0);
  return { nearest, end: `${beginning}-${isDescending ? "0000-0000-000000000000" : "ffff-ffff-ffffffffffff"}` };
};
