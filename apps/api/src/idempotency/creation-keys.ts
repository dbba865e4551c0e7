// What a repeated creation is known by (D-17): the caller's key, and a fingerprint of what the request asks for.
import { hash } from "node:crypto";

export interface CreationKey {
  /** Of the caller: another one's key is another key. */
  sub: string;
  key: string;
  fingerprint: string;
}

const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The same for requests of one operation that mean the same: spaces and the order of fields do not count. */
export const fingerprintOf = (operation: string, params: unknown, body: unknown): string =>
  hash("sha256", JSON.stringify([operation, params, body], withSortedKeys), "base64");
