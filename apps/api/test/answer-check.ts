// Holds every answer against the OpenAPI document alone: status, media type, headers, and each property of the body.
import type { Problem } from "@task-service/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

export interface DescribedAnswer {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Json }>;
}

export interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Json;
}

export interface DescribedOperation {
  operationId: string;
  parameters: (DescribedParameter | { $ref: string })[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Json; examples?: Record<string, { value: Json }> }>;
  };
  responses: Record<string, DescribedAnswer | { $ref: string }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, unknown>>;
}

export interface AnswerCheck {
  /** Throws with everything about the answer that the document does not say. Reads a copy of its body. */
  check(method: string, url: string, answer: Response): Promise<void>;
  /** Sends, checks, and hands on. */
  fetch: typeof globalThis.fetch;
  /** `<operationId> <status>`, with the code of a problem: `getTask 404 not_found`. */
  readonly seen: ReadonlySet<string>;
}

const id = "openapi.json";
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
const pointer = (...parts: readonly string[]): string => `#/${parts.map(escaped).join("/")}`;

/** Found by their statuses before a route is, so no operation declares them. */
const beforeRouting = [404, 405, 408, 414, 431];

/** Answered beside what the document describes. */
const undescribed = /^(?:\/api\/(?:openapi\.json|docs)|\/(?:healthz|readyz))(?:\/|$)/;

/** What clients must ignore (D-02) the tests must not: nothing undeclared is answered. */
const closed = <T>(document: T): T =>
  JSON.parse(
    JSON.stringify(document, (_, value) => {
      const isOpen = value?.properties && !("additionalProperties" in value) && [value.type].flat().includes("object");
      return isOpen ? { ...value, additionalProperties: false } : value;
    }),
  );

export interface Route {
  path: string;
  method: string;
  operation: DescribedOperation;
}

/** All operations, concrete paths first, as OpenAPI matches them. */
export const routesOf = ({ paths }: ApiDocument): Route[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);

/** What a reference into the document stands for. */
export const resolved = <T extends object>(document: ApiDocument, value: T | { $ref: string }): T => {
  if (!("$ref" in value)) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  return document.components[kind]?.[name] as T;
};

export const createAnswerCheck = (source: ApiDocument): AnswerCheck => {
  const document = closed(source);
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strictTypes: false, validateSchema: false }));
  // It is looked into as if all of it were a schema.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, id);
  const seen = new Set<string>();
  const routes = routesOf(document).map((route) => ({
    ...route,
    pattern: new RegExp(`^(?:/api)?${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  const faultsOf = (place: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`${id}${place}`) as ValidateFunction;
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  const headerFaults = (headers: DescribedAnswer["headers"] = {}, answer: Response): string[] =>
    Object.entries(headers).flatMap(([name, reference]) => {
      const { required = false, schema } = resolved<{ required?: boolean; schema: Json }>(document, reference);
      const sent = answer.headers.get(name);
      if (sent === null) return required ? [`the header ${name} is missing`] : [];
      const value = schema.type === "integer" ? Number(sent) : sent;
      return faultsOf(pointer("components", "headers", name, "schema"), value).map((fault) => `${name}: ${fault}`);
    });

  const bodyFaults = (
    place: string[],
    content: DescribedAnswer["content"],
    answer: Response,
    text: string,
  ): string[] => {
    const type = (answer.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
    if (!content) return text === "" ? [] : ["there is a body"];
    if (!(type in content)) return [`the media type is ${type}`];
    return type === "text/event-stream" ? [] : faultsOf(pointer(...place, "content", type, "schema"), JSON.parse(text));
  };

  const problemIn = (text: string): Partial<Problem> => (text.startsWith("{") ? JSON.parse(text) : {});

  const check = async (method: string, url: string, answer: Response): Promise<void> => {
    const { pathname } = new URL(url);
    if (undescribed.test(pathname)) return;
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const text = isStream ? "" : await answer.clone().text();
    const route = routes.find(({ pattern, method: own }) => own === method.toLowerCase() && pattern.test(pathname));
    const declared = route?.operation.responses[answer.status];
    // It is declared, for nobody can promise it away; but no test means to bring it about.
    const faults = answer.status === 500 ? ["the service failed"] : [];
    if (route && declared) {
      const place =
        "$ref" in declared
          ? declared.$ref.slice(2).split("/")
          : ["paths", route.path, route.method, "responses", String(answer.status)];
      const { headers, content } = resolved<DescribedAnswer>(document, declared);
      faults.push(...headerFaults(headers, answer), ...bodyFaults(place, content, answer, text));
      const { code } = answer.ok ? {} : problemIn(text);
      seen.add(`${route.operation.operationId} ${answer.status}${code ? ` ${code}` : ""}`);
    } else if (beforeRouting.includes(answer.status) || (answer.status === 400 && !route)) {
      if (method !== "HEAD") faults.push(...faultsOf(pointer("components", "schemas", "Problem"), problemIn(text)));
    } else faults.push("the status is not declared");
    if (faults.length === 0) return;
    throw new Error(`${method} ${pathname} answered ${answer.status} ${text.slice(0, 500)}\n${faults.join("\n")}`);
  };

  return {
    check,
    seen,
    fetch: async (input, init) => {
      const answer = await globalThis.fetch(input, init);
      const request = new Request(input, { method: init?.method ?? "GET" });
      await check(request.method, request.url, answer);
      return answer;
    },
  };
};
