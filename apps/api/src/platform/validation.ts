// Checks requests against the contract: strict bodies, typed parameters, text that PostgreSQL can hold.
import { namedSchemas } from "@task-service/contract";
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { isUuid } from "./identifiers.ts";
import { invalid, RequestProblem } from "./problems.ts";

const options = {
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
} as const;

// ajv-formats takes `urn:uuid:…` for a UUID, which PostgreSQL does not read.
const checking = (coerceTypes: false | "array") =>
  addFormats.default(new Ajv({ ...options, coerceTypes })).addFormat("uuid", isUuid);

const bodies = checking(false);
// Parameters arrive as text: "5" is a number there, and one value is a list of one.
const parameters = checking("array");

const pointerOf = (error: ErrorObject, context: string | undefined): string => {
  const { additionalProperty, missingProperty } = error.params as Record<string, string | undefined>;
  const name = additionalProperty ?? missingProperty;
  const path = `${error.instancePath}${name === undefined ? "" : `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`}`;
  return context === "body" ? path : `?${path.slice(1)}`;
};

const detailOf = ({ keyword, params, message = "is not valid" }: ErrorObject): string => {
  switch (keyword) {
    case "additionalProperties":
      return "is not known here";
    case "required":
      return "is missing";
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => value ?? "null").join(", ")}`;
    case "pattern":
      return params.pattern === "\\S" ? "must not be blank" : "has characters or a form that is not allowed";
    case "type":
      return `must be ${[params.type].flat().join(" or ")}`;
    case "format":
      return `must be a ${params.format}`;
    case "minLength":
    case "minItems":
      return params.limit === 1 ? "must not be empty" : `must have at least ${params.limit}`;
    case "maxLength":
      return `must have at most ${params.limit} characters`;
    case "maxItems":
      return `must have at most ${params.limit} items`;
    case "uniqueItems":
      return `must not name anything twice: items ${params.i} and ${params.j} are the same`;
    default:
      return message;
  }
};

/** The first thing that is wrong, as `invalid_request` naming the field. */
export const validationProblem = (error: FastifyError): RequestProblem => {
  const [first] = (error.validation ?? []) as ErrorObject[];
  if (!first) return new RequestProblem("invalid_request", "The request is not valid.");
  const pointer = pointerOf(first, error.validationContext);
  if (pointer === "") return new RequestProblem("invalid_request", "The body must be a JSON object.");
  return invalid(pointer, detailOf(first));
};

/** Whether text holds neither NUL nor half of a surrogate pair (D-01). */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

// Walks without recursion: depth is the sender's choice.
const unstorablePath = (body: unknown): string | undefined => {
  const pending: [path: string, value: unknown][] = [["", body]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && !isStorable(value)) return path;
    // Bytes are for whoever asked for them to judge.
    if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) return path;
      pending.push([`${path}/${key}`, child]);
    }
  }
  return undefined;
};

const refuseUnstorableText = async (request: FastifyRequest): Promise<void> => {
  const detail = "holds a NUL character or half of a surrogate pair";
  const path = unstorablePath(request.body);
  if (path !== undefined) throw invalid(path || "/", detail);
  const parameter = unstorablePath({ ...(request.params as object), ...(request.query as object) });
  if (parameter !== undefined) throw invalid(`?${parameter.slice(1)}`, detail);
};

const mediaTypes = ["application/json", "application/merge-patch+json"];
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Installs the validators, the JSON parser and the shapes that answers refer to. Must come before the routes. */
export const addValidation = (app: FastifyInstance): void => {
  for (const schema of namedSchemas) app.addSchema(schema);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === "body" ? bodies : parameters).compile(schema as object),
  );
  app.addHook("preValidation", refuseUnstorableText);

  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(mediaTypes, { parseAs: "buffer" }, (request, body, done) => {
    const charset = /;\s*charset=([^;]*)/i
      .exec(request.headers["content-type"] ?? "")?.[1]
      ?.replaceAll('"', "")
      .trim();
    if (charset && !/^utf-?8$/i.test(charset)) {
      return done(new RequestProblem("unsupported_media_type", "JSON is read as UTF-8; leave the charset out."));
    }
    if (request.headers["content-encoding"]) {
      return done(new RequestProblem("unsupported_media_type", "Send the body without Content-Encoding."));
    }
    if (body.length === 0) return done(null, undefined);
    try {
      return parseJson(request, utf8.decode(body as Buffer), done);
    } catch {
      return done(new RequestProblem("invalid_request", "The body is not valid UTF-8."));
    }
  });
};
