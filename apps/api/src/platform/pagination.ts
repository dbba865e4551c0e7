// Cursors (D-04): where the next page begins, bound to the sort and filters it was made for.
import { createHash } from "node:crypto";
import { defaultPageSize, type Page } from "@task-service/contract";
import { isUuid } from "./identifiers.ts";
import { invalid } from "./problems.ts";
import { isStorable } from "./validation.ts";

type Key = readonly (string | number)[];

/** What a part of a key can be. Whoever forges one finds out here, not from PostgreSQL. */
const partForms = {
  text: (part: unknown): part is string => typeof part === "string" && isStorable(part),
  uuid: (part: unknown): part is string => typeof part === "string" && isUuid(part),
  eventId: (part: unknown): part is string => typeof part === "string" && /^\d{16}$/.test(part),
  instant: (part: unknown): part is string =>
    typeof part === "string" && /^[1-9]\d{3}-/.test(part) && new Date(part).toJSON() === part,
  integer: (part: unknown): part is number => typeof part === "number" && (part | 0) === part,
  bigint: (part: unknown): part is number => Number.isSafeInteger(part),
};

type PartForm = keyof typeof partForms;
type Part<F extends PartForm> = (typeof partForms)[F] extends (part: unknown) => part is infer P ? P : never;

const list = Symbol("list");

interface PageRequest {
  limit?: number;
  cursor?: string;
  /** The path that is asked: equal filters may mean something to another list too. */
  [list]?: string;
}

/** Binds the cursors of `query` to the list at `path`. Every route does so before its handler. */
export const bindToList = (query: PageRequest, path: string): void => {
  query[list] = path.toLowerCase();
};

const fingerprint = (query: PageRequest): string => {
  const { limit: _limit, cursor: _cursor, [list]: path = "", ...filters } = query;
  const canonical = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([path, canonical]))
    .digest("base64url")
    .slice(0, 16);
};

const damaged = () => invalid("?cursor", "is damaged, or belongs to another list, sort or filter");

/** The key after which the page begins, whose parts have these forms; undefined on the first page. */
export const readCursor = <const F extends readonly PartForm[]>(
  query: PageRequest,
  forms: F,
): { -readonly [P in keyof F]: Part<F[P]> } | undefined => {
  if (query.cursor === undefined) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(query.cursor, "base64url").toString());
  } catch {
    throw damaged();
  }
  if (!Array.isArray(parts)) throw damaged();
  const [print, ...key] = parts as unknown[];
  const isWhole = key.length === forms.length && forms.every((form, index) => partForms[form](key[index]));
  if (print !== fingerprint(query) || !isWhole) throw damaged();
  return key as { -readonly [P in keyof F]: Part<F[P]> };
};

const writeCursor = (query: PageRequest, key: Key): string =>
  Buffer.from(JSON.stringify([fingerprint(query), ...key])).toString("base64url");

export const pageSize = (query: PageRequest): number => query.limit ?? defaultPageSize;

/** How many rows to read: one more than the page holds tells whether there is a next one. */
export const rowsToRead = (query: PageRequest): number => pageSize(query) + 1;

/** Cuts `rows` to the page and makes the cursor from the last one's key. */
export const toPage = <R>(query: PageRequest, rows: R[], keyOf: (row: R) => Key): Page<R> => {
  const items = rows.slice(0, pageSize(query));
  const last = items.at(-1);
  const hasMore = rows.length > items.length && last !== undefined;
  return { items, next_cursor: hasMore ? writeCursor(query, keyOf(last)) : null };
};
