// Cursors (D-04): where the next page begins, bound to the sort and filters it was made for.
import { createHash } from "node:crypto";
import { defaultPageSize, type Page } from "@task-service/contract";
import { invalid } from "./problems.ts";

type Key = readonly (string | number)[];

interface PageRequest {
  limit?: number;
  cursor?: string;
}

const fingerprint = (query: PageRequest): string => {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const canonical = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("base64url").slice(0, 16);
};

const damaged = () => invalid("?cursor", "is damaged, or belongs to another list, sort or filter");

/** The key after which the page begins, checked against `shape` (`typeof` of each part); undefined on the first page. */
export const readCursor = <K extends Key>(
  query: PageRequest,
  shape: { readonly [P in keyof K]: K[P] extends number ? "number" : "string" },
  scope = "",
): K | undefined => {
  if (query.cursor === undefined) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(query.cursor, "base64url").toString());
  } catch {
    throw damaged();
  }
  if (!Array.isArray(parts)) throw damaged();
  const [print, ...key] = parts as unknown[];
  const isWhole = key.length === shape.length && key.every((part, index) => typeof part === shape[index]);
  if (print !== `${scope}${fingerprint(query)}` || !isWhole) throw damaged();
  return key as unknown as K;
};

const writeCursor = (query: PageRequest, key: Key, scope: string): string =>
  Buffer.from(JSON.stringify([`${scope}${fingerprint(query)}`, ...key])).toString("base64url");

export const pageSize = (query: PageRequest): number => query.limit ?? defaultPageSize;

/** How many rows to read: one more than the page holds tells whether there is a next one. */
export const rowsToRead = (query: PageRequest): number => pageSize(query) + 1;

/** Cuts `rows` to the page and makes the cursor from the last one's key. `scope` names a list whose path holds an id. */
export const toPage = <R>(query: PageRequest, rows: R[], keyOf: (row: R) => Key, scope = ""): Page<R> => {
  const items = rows.slice(0, pageSize(query));
  const last = items.at(-1);
  const hasMore = rows.length > items.length && last !== undefined;
  return { items, next_cursor: hasMore ? writeCursor(query, keyOf(last), scope) : null };
};
