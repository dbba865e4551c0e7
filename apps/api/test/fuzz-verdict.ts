// Judges an answer by the document alone: what it allows is not refused as invalid, what it forbids is never accepted, and what was accepted reads back.
import { isDeepStrictEqual } from "node:util";
import type { Problem } from "@task-service/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isUuid } from "../src/platform/identifiers.ts";
import { routes } from "./declared-answers.ts";
import { bodySchema, type FuzzRequest, parameterSchema } from "./request-arbitraries.ts";
import type { TestApp } from "./test-app.ts";

export type Verdict = "accepted" | "refused";

/** Fields about which the service knows more than a schema can say: what is there, what belongs together. */
const judgedBeyondSchema = new Set([
  ...["organization", "assignee", "assignee_type", "parent_id", "git_link", "agents_repo_url"],
  ...["cursor", "if-match", "after", "last-event-id", "sort", "from_position", "from", "to", "step"],
  // Exactly one of the three.
  ...["patch", "requeue", "delete"],
]);
/** Sent in a short form, answered in full (D-01), or no field of what is changed. */
const answeredOtherwise = ["git_link", "organization", "assignee", "agents_repo_url", "dispatch_id"];

const options = { strict: false, allErrors: false } as const;
/** A UUID is what RFC 9562 calls one; ajv-formats takes URNs too. */
const judging = (more: { coerceTypes?: "array" } = {}) =>
  addFormats.default(new Ajv2020({ ...options, ...more })).addFormat("uuid", isUuid);
const bodies = judging();
const parameters = judging({ coerceTypes: "array" });

/** Of each operation, by its id. */
const validators = new Map(
  routes.map((route) => {
    const { operationId, requestBody } = route.operation;
    const schema = bodySchema(route);
    return [
      operationId,
      {
        needsBody: requestBody?.required ?? false,
        // A body whose fields are not declared is not looked at.
        body: schema?.additionalProperties === false ? bodies.compile(schema) : undefined,
        path: parameters.compile(parameterSchema(route, "path")),
        query: parameters.compile(parameterSchema(route, "query")),
        headers: parameters.compile(parameterSchema(route, "header")),
      },
    ];
  }),
);

/** Whether JSON holds neither NUL nor half of a surrogate pair, both of which it escapes (D-01). */
const isStorable = (json: string): boolean => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(json);

const grouped = (query: FuzzRequest["query"]): Record<string, unknown> =>
  Object.fromEntries(
    Map.groupBy(query, ([name]) => name)
      .entries()
      .map(([name, all]) => [name, all.length === 1 ? all[0]?.[1] : all.map(([, value]) => value)]),
  );

/** Why the request must be refused; undefined if nothing in the document says so. */
const faultOf = ({ operationId, flaw, path, query, headers, body }: FuzzRequest): string | undefined => {
  const validate = validators.get(operationId);
  if (flaw || !validate) return flaw;
  const parts = { path: { ...path }, query: grouped(query), headers: { ...headers } };
  if (!isStorable(JSON.stringify([parts.path, parts.query]))) return "a parameter cannot be stored";
  for (const place of ["path", "query", "headers"] as const) {
    if (!validate[place](parts[place])) return `${place}: ${parameters.errorsText(validate[place].errors)}`;
  }
  if (body === undefined) return validate.needsBody ? "there is no body" : undefined;
  if (!validate.body) return undefined;
  if (!isStorable(body)) return "the body cannot be stored";
  return validate.body(JSON.parse(body)) ? undefined : bodies.errorsText(validate.body.errors);
};

const complaint = (request: FuzzRequest, answer: Response, detail: unknown): Error =>
  new Error(`${request.method} ${answer.url} answered ${answer.status}: ${JSON.stringify(detail).slice(0, 600)}`);

/** What was created or changed is there, as it was answered and as it was sent. */
const readBack = async (app: TestApp, request: FuzzRequest, answer: Response, resource: unknown): Promise<void> => {
  const { id, dispatch_count = 0 } = (resource ?? {}) as { id?: string; dispatch_count?: number };
  const location = answer.headers.get("location");
  const collection = new URL(answer.url).pathname.split("/").slice(0, 3).join("/");
  const address = location ? new URL(location, answer.url).href : new URL(`${collection}/${id}`, answer.url).href;
  const read = await app.request(address.slice(app.baseUrl.length));
  const stored = (await read.json()) as Record<string, unknown>;
  if (!isDeepStrictEqual(stored, resource)) throw complaint(request, read, { differs: stored, from: resource });
  for (const [name, sent] of Object.entries(JSON.parse(request.body ?? "{}"))) {
    const isSum = name.endsWith("_tokens") && dispatch_count > 1;
    if (answeredOtherwise.includes(name) || isSum || !(name in stored)) continue;
    const expected = name === "parent_id" && typeof sent === "string" ? sent.toLowerCase() : sent;
    if (!isDeepStrictEqual(stored[name], expected)) throw complaint(request, read, { [name]: stored[name], sent });
  }
};

/** Throws if the answer is not what the document promises for this request. (Its own shape was checked before.) */
export const judge = async (
  app: TestApp,
  request: FuzzRequest,
  answer: Response,
  content: unknown,
): Promise<Verdict> => {
  const fault = faultOf(request);
  if (answer.status >= 500) throw complaint(request, answer, content);
  if (answer.ok) {
    if (fault !== undefined) throw complaint(request, answer, `accepted, but ${fault}`);
    const isOne = answer.headers.has("location") || ["updateTask", "updateOrganization"].includes(request.operationId);
    if (isOne) await readBack(app, request, answer, content);
    return "accepted";
  }
  const { code, errors = [] } = content as Problem;
  const isBeyond = errors.some(({ pointer }) => judgedBeyondSchema.has(pointer.split(/[/?]/).at(-1) ?? ""));
  if (fault === undefined && code === "invalid_request" && !isBeyond) throw complaint(request, answer, content);
  return "refused";
};
