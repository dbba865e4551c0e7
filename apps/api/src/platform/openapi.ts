// The API's own description: OpenAPI 3.1, made from the contract alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namedSchemas, type Operation, operations } from "@task-service/contract";
import { answerExamples } from "./openapi-answer-examples.ts";
import { answerHeaders } from "./openapi-headers.ts";
import { describeOperation, templateOf } from "./openapi-operations.ts";
import { problemComponents } from "./openapi-problems.ts";
import { createSchemaPrinter, type Json, type SchemaPrinter } from "./openapi-schemas.ts";

/** In the order in which the page shows them. */
const tags = [
  { name: "Tasks", description: "Create, read, change, list and delete tasks." },
  {
    name: "Dispatch",
    description:
      "For executors: take tasks in the order of the queue, keep them alive, end them. And for all: see why one waits.",
  },
  { name: "Agent types", description: "The personas tasks are assigned to. Read only: they come from git." },
  { name: "Organizations", description: "Each has its own agents repository, which is synchronized into agent types." },
  { name: "History", description: "Every change ever made, written together with the change." },
  {
    name: "Numbers",
    description: "For dashboards, charts and alerts: what stands where, what happened, what it used.",
  },
  { name: "Me", description: "Who the token speaks for." },
  { name: "Webhooks", description: "What the git host calls." },
];

const signature = (name: string, description: string): Json => ({ type: "apiKey", in: "header", name, description });

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token of the identity provider, of a member of the group.",
  },
  gitea_signature: signature("X-Gitea-Signature", "HMAC-SHA256 of the body, in hexadecimal."),
  forgejo_signature: signature("X-Forgejo-Signature", "HMAC-SHA256 of the body, in hexadecimal."),
  hub_signature: signature("X-Hub-Signature-256", "`sha256=` and the HMAC-SHA256 of the body, in hexadecimal."),
};

const requestId = {
  name: "X-Request-Id",
  in: "header",
  description: "Names the request in the service's log, if it has 1–128 letters, digits or `_.:-`; echoed.",
  schema: { type: "string" },
};

// Health is outside the public prefix, which this document describes.
const documented = Object.entries(operations as Record<string, Operation>).filter(([, { tag }]) => tag !== "Health");

const describePaths = (printer: SchemaPrinter): Json => {
  const paths: Record<string, Json> = {};
  for (const [name, operation] of documented) {
    const path = templateOf(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(name, operation, printer) };
  }
  return paths;
};

const describeNamed = ({ print }: SchemaPrinter): Json =>
  Object.fromEntries(
    namedSchemas.map((schema) => {
      const example = (answerExamples as Json)[schema.$id];
      return [schema.$id, { ...print(schema), ...(example !== undefined && { examples: [example] }) }];
    }),
  );

/** A document for `version` of the service. */
export const describeApi = (version: string): Json => {
  const printer = createSchemaPrinter();
  const paths = describePaths(printer);
  return {
    openapi: "3.1.0",
    info: {
      title: "Task service",
      version,
      summary: "A priority queue of tasks that people and AI agents share",
      description: readFileSync(join(import.meta.dirname, "openapi-guide.md"), "utf8"),
      license: { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" },
    },
    servers: [{ url: "/api", description: "This service, behind its entry point" }],
    security: [{ bearer: [] }],
    tags,
    paths,
    components: {
      securitySchemes,
      parameters: { "X-Request-Id": requestId },
      headers: answerHeaders,
      schemas: { ...describeNamed(printer), ...printer.titled() },
      ...problemComponents(documented.map(([, operation]) => operation)),
    },
  };
};
