// The few shapes every resource is made of: strict objects, nullable values, identifiers, instants, bounded text.
import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";

/** A request object: a field it does not declare is refused (D-01). With a `title` it has a name in the OpenAPI document. */
export const strict = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** For operations that take no fields: a body may be left out, but what it holds is not ignored. */
export const NoFields = strict({});

/** An answer object with a name in the OpenAPI document; refer to it with {@link ref}. */
export const named = <P extends TProperties>(name: string, properties: P, description?: string) =>
  Object.assign(Type.Object(properties, description === undefined ? {} : { description }), { $id: name });

/** A reference to a {@link named} object. For answers only: request schemas are compiled one by one. */
export const ref = <T extends TSchema & { $id: string }>(schema: T, options: { description?: string } = {}) =>
  Type.Unsafe<Static<T>>({ ...options, $ref: `${schema.$id}#` });

/** The same value or null, as a type array: cheaper to serialise than a union. */
export const nullable = <T extends TSchema>(schema: T, options: Record<string, unknown> = {}) => {
  const { type, enum: values, ...rest } = schema as unknown as { type: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    ...options,
    type: [type, "null"],
    ...(values && { enum: [...values, null] }),
  });
};

/** One of a closed list of words. */
export const oneOf = <const V extends readonly string[]>(values: V, options: Record<string, unknown> = {}) =>
  Type.Unsafe<V[number]>({ ...options, type: "string", enum: values });

/** UUIDv7. */
export const Uuid = Type.String({ format: "uuid" });

/** RFC 3339 in UTC with milliseconds. */
export const Instant = Type.String({ format: "date-time", examples: ["2026-11-21T09:30:00.000Z"] });

/** An integer from 0 up to 2^53-1. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Text of `minLength` to `maxLength` Unicode code points, at least one of them no white space when `minLength` is 1. */
export const text = (minLength: 0 | 1, maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ ...options, minLength, maxLength, ...(minLength && { pattern: "\\S" }) });

/** Characters with a visible glyph, as names and keys need: no spaces, no controls. */
export const visible = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ ...options, minLength: 1, maxLength, pattern: "^[^\\s\\p{C}]+$" });
