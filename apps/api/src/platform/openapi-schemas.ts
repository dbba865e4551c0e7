// How schemas of the contract are printed: shapes with a name go to the components once, and are referred to.
import type { TSchema } from "typebox";

export type Json = Record<string, unknown>;

export interface SchemaPrinter {
  print(schema: TSchema): Json;
  /** What was referred to by title so far. */
  titled(): Json;
}

/**
 * Answers refer by `$ref` to what has an `$id`. Requests hold no references, for Ajv compiles them one by one;
 * there an object with a `title` is the named one.
 */
export const createSchemaPrinter = (): SchemaPrinter => {
  const titled = new Map<string, Json>();

  const copy = (value: unknown): Json =>
    JSON.parse(
      JSON.stringify(value, (key, one) => {
        if (key === "$id") return undefined;
        if (key === "$ref") return `#/components/schemas/${one.replace(/#$/, "")}`;
        // OpenAPI allows nothing beside a reference.
        if (typeof one?.$ref === "string") return { $ref: one.$ref };
        return isTitled(one) ? refer(one) : one;
      }),
    );
  const refer = ({ title, ...schema }: Json & { title: string }): Json => {
    if (!titled.has(title)) titled.set(title, copy(schema));
    return { $ref: title };
  };

  return {
    print: (schema) => copy({ schema }).schema as Json,
    titled: () => Object.fromEntries(titled),
  };
};

// Examples and properties may have fields of these names too.
const isTitled = (value: unknown): value is Json & { title: string } => {
  const { type, title } = (value ?? {}) as Json;
  return type === "object" && typeof title === "string";
};
