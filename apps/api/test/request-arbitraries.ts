// Whole requests to an operation of the document: parameters, headers, body, and what may be wrong with how they are sent.
import fc from "fast-check";
import { type DescribedParameter, type Route, resolved } from "./answer-check.ts";
import { brokenObjects, type Meaning, type Schema, validValues } from "./schema-arbitraries.ts";
import { apiDocument } from "./test-app.ts";

export interface FuzzRequest {
  operationId: string;
  method: string;
  path: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** The bytes as text; undefined: none. */
  body?: string;
  /** Why it must be refused, whatever its values are. */
  flaw?: "method" | "media type" | "broken JSON";
}

type Values = Record<string, unknown>;

const parametersOf = ({ operation }: Route, place: DescribedParameter["in"]): DescribedParameter[] =>
  operation.parameters
    .map((parameter) => resolved<DescribedParameter>(apiDocument, parameter))
    .filter((parameter) => parameter.in === place);

/** The parameters of one place as the object schema that they amount to. */
export const parameterSchema = (route: Route, place: DescribedParameter["in"]): Schema => {
  const parameters = parametersOf(route, place);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema as Schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    ...(place === "query" && { additionalProperties: false }),
  };
};

/** The schema of the body with references resolved; undefined if it takes none. */
export const bodySchema = ({ operation }: Route): Schema | undefined => {
  const schema = operation.requestBody?.content["application/json"]?.schema as Schema | undefined;
  return schema && inlined(schema);
};

const inlined = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === "string" ? inlined(resolved<Schema>(apiDocument, value)) : value,
  );

const asText = (value: unknown): string =>
  (typeof value === "object" ? JSON.stringify(value) : String(value)).toWellFormed();

const pairs = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, asText(one)]),
  );

const fields = (value: unknown): Values => (typeof value === "object" && value !== null ? (value as Values) : {});

// Others would end at another route, or not be sent by any client.
const isSegment = (text: string): boolean => text !== "" && text !== "." && text !== "..";
const isHeader = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

const textsOf = (value: unknown, isSendable: (text: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields(value))
      .map(([name, one]) => [name, asText(one)] as const)
      .filter(([name, text]) => /^[\w-]+$/.test(name) && isSendable(text)),
  );

const mostly = (usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });

const placed = (route: Route, place: DescribedParameter["in"], meaning: Meaning): fc.Arbitrary<unknown> => {
  const schema = parameterSchema(route, place);
  const valid = validValues(schema, meaning);
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  return isEmpty && place !== "query" ? valid : mostly(valid, brokenObjects(schema, meaning));
};

/** An example of the document, of things that exist. */
const like = (example: unknown, meaning: Meaning): fc.Arbitrary<unknown> => {
  if (Array.isArray(example)) return fc.tuple(...example.map((one) => like(one, meaning)));
  if (typeof example !== "object" || example === null) return fc.constant(example);
  return fc.record(
    Object.fromEntries(Object.entries(example).map(([name, one]) => [name, meaning(name) ?? like(one, meaning)])),
  );
};

const examplesOf = ({ operation }: Route): unknown[] =>
  Object.values(operation.requestBody?.content["application/json"]?.examples ?? {}).map(({ value }) => value);

const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

const replacements: ((request: FuzzRequest) => FuzzRequest)[] = [
  (request) => ({ ...request, flaw: "method", method: "PUT" }),
  (request) => ({ ...request, flaw: "media type", headers: { ...request.headers, "content-type": "text/plain" } }),
  (request) => ({ ...request, flaw: "broken JSON", body: `{${request.body}` }),
  (request) => ({ ...request, body: `{"prompt":${deep},"reason":${deep}}` }),
  (request) => ({ ...request, body: '{"__proto__":{"a":1}}' }),
  ({ body: _, ...request }) => request,
];

/** Something wrong with the request as a whole. */
const deranged = (route: Route, request: FuzzRequest): fc.Arbitrary<FuzzRequest> =>
  fc
    .constantFrom(...replacements.slice(0, route.operation.requestBody ? undefined : 1))
    .map((replace) => replace(request));

/** Requests to one operation: most are right, some have something wrong with one of their parts. */
export const requestsTo = (route: Route, meaning: Meaning): fc.Arbitrary<FuzzRequest> => {
  const schema = bodySchema(route);
  const bodies = schema
    ? mostly(
        fc.oneof(validValues(schema, meaning), ...examplesOf(route).map((example) => like(example, meaning))),
        brokenObjects(schema, meaning),
      ).map((body) => JSON.stringify(body))
    : fc.constant(undefined);
  return fc
    .tuple(placed(route, "path", meaning), placed(route, "query", meaning), placed(route, "header", meaning), bodies)
    .map(
      ([path, query, headers, body]): FuzzRequest => ({
        operationId: route.operation.operationId,
        method: route.method.toUpperCase(),
        path: textsOf(path, isSegment),
        query: pairs(fields(query)),
        headers: { ...textsOf(headers, isHeader), ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body }),
      }),
    )
    .filter(({ path }) => parametersOf(route, "path").every(({ name }) => name in path))
    .chain((request) => fc.oneof({ weight: 12, arbitrary: fc.constant(request) }, deranged(route, request)));
};
