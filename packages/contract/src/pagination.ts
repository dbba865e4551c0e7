// How every collection is paged (D-04): keyset cursors, never offsets.
import Type, { type TProperties, type TSchema } from "typebox";
import { nullable, strict } from "./schema.ts";

export const defaultPageSize = 50;
export const maxPageSize = 200;

/** The query of a collection: its filters and the two paging parameters. */
export const pageQuery = <P extends TProperties>(filters: P) =>
  strict({
    ...filters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: defaultPageSize })),
    cursor: Type.Optional(Type.String({ maxLength: 1024, description: "`next_cursor` of the page before" })),
  });

/** A page of `item`; `next_cursor` is null on the last one. */
export const page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next_cursor: nullable(Type.String()) });

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}
