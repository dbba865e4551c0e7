// Values for a JSON schema of the document, by fast-check: valid ones up to the boundaries, and ones that break a rule.
import fc from "fast-check";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
}

/** What a property means beyond its schema: ids that exist, names that are known. Undefined: the schema says it all. */
export type Meaning = (name: string) => fc.Arbitrary<unknown> | undefined;

/** Every kind of Unicode that has broken a service before; some of it cannot be stored. */
const oddTexts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udc00",
  "__proto__",
  "constructor",
  "null",
  "😀",
  "👩‍👩‍👧‍👦",
  "e\u0301\u0301\u0301",
  "\u202eabc",
  "שלום",
  "\ufeff",
  "\u2028",
  "'; drop table tasks; --",
  "%00",
  "%zz",
  "../..",
  "\\u0000",
];
const oddUnits = ["x", "😀", "é", "\u0301", "\u202e", "'"];

const lengthened = (unit: string, codePoints: number): string => unit.repeat(Math.max(codePoints, 0));

const strings = ({ minLength = 0, maxLength = 60, pattern, format, examples = [] }: Schema): fc.Arbitrary<unknown> => {
  const given = examples.length > 0 ? [fc.constantFrom(...examples)] : [];
  if (format === "uuid")
    return fc.oneof(
      ...given,
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    );
  if (format === "date-time") {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
      .map((at) => at.toISOString());
  }
  if (format === "date") {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
      .map((at) => at.toISOString().slice(0, 10));
  }
  const words = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  if (pattern !== undefined && pattern !== "\\S") return fc.oneof(...given, words);
  const unit = fc.constantFrom(...oddUnits.slice(0, 3));
  return fc.oneof(
    ...given,
    { weight: 6, arbitrary: words },
    { weight: 4, arbitrary: fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 60) }) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 60) }) },
    unit.map((one) => lengthened(one, minLength)),
    unit.map((one) => lengthened(one, maxLength)),
  );
};

const integers = ({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: Math.max(minimum, -1000), max: Math.min(maximum, 1000) }),
  );

/** Mostly of few fields: the more there are, the likelier two of them do not go together. */
const objects = ({ properties = {}, required = [] }: Schema, meaning: Meaning): fc.Arbitrary<unknown> => {
  const chosenField = ([name, schema]: [string, Schema]) =>
    [name, meaning(name) ?? validValues(schema, meaning)] as const;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.subarray(optional, { maxLength: Math.min(optional.length, 2) }) },
      fc.subarray(optional),
    )
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          Object.entries(properties)
            .filter(([name]) => required.includes(name) || chosen.includes(name))
            .map(chosenField),
        ),
      ),
    );
};

/** Values the schema allows, boundaries among them. (Whoever asks judges: rarely one is not allowed after all.) */
export const validValues = (schema: Schema, meaning: Meaning): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => validValues({ ...schema, type }, meaning)));
  }
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return integers(schema);
    case "array": {
      const { minItems = 0, maxItems = 10, items = {} } = schema;
      return fc.uniqueArray(validValues(items, meaning), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 5),
        selector: (item) => JSON.stringify(item),
      });
    }
    case "object":
      return objects(schema, meaning);
    default:
      return strings(schema);
  }
};

/** Other spellings of ids that exist nowhere: libraries take them, the database does not. */
const urns = fc.uuid().map((id) => `urn:uuid:${id}`);

/** Values of every other kind; most of them break any schema. */
export const oddValues = ({
  minLength = 1,
  maxLength = 1000,
  minimum = 0,
  maximum = 0,
  maxItems = 3,
  format,
  items,
}: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    ...(format === "uuid" ? [urns] : []),
    ...(items?.format === "uuid" ? [fc.tuple(urns)] : []),
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1.5,
      1e21,
      -(2 ** 63),
      Number.MAX_SAFE_INTEGER + 1,
      "5",
      [],
      {},
      [[]],
      [null],
    ),
    fc.constantFrom(...oddTexts),
    fc.constantFrom<unknown>(minimum - 1, maximum + 1),
    fc
      .constantFrom(...oddUnits)
      .chain((unit) =>
        fc.constantFrom(lengthened(unit, minLength - 1), lengthened(unit, maxLength), lengthened(unit, maxLength + 1)),
      ),
    fc.constant(Array.from({ length: maxItems + 1 }, (_, index) => `item ${index}`)),
    fc.anything({ maxDepth: 3, withNullPrototype: false }),
  );

/** An object with exactly one thing done to it: a field odd, missing or unknown. */
export const brokenObjects = (schema: Schema, meaning: Meaning): fc.Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {});
  const valid = objects(schema, meaning) as fc.Arbitrary<Record<string, unknown>>;
  const unknown = fc
    .tuple(valid, fc.constantFrom("priorty", "__proto__", "", "constructor", "x\u0000"))
    .map(([value, name]) => Object.defineProperty({ ...value }, name, { value: 1, enumerable: true }));
  if (fields.length === 0) return fc.oneof(unknown, oddValues({}));
  const odd = fc
    .tuple(valid, fc.constantFrom(...fields))
    .chain(([value, [name, field]]) => oddValues(field).map((one) => ({ ...value, [name]: one })));
  const lacking = fc.tuple(valid, fc.constantFrom(...fields)).map(([value, [name]]) => {
    const { [name]: _, ...rest } = value;
    return rest;
  });
  return fc.oneof({ weight: 5, arbitrary: odd }, lacking, unknown, oddValues({}));
};
