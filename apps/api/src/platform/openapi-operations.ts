// An operation of the contract as an operation of OpenAPI: parameters, body, answers.
import type { Operation } from "@task-service/contract";
import type { TObject, TSchema } from "typebox";
import { answerExamples } from "./openapi-answer-examples.ts";
import { bodyExamples } from "./openapi-body-examples.ts";
import { successHeaders } from "./openapi-headers.ts";
import { problemResponses } from "./openapi-problems.ts";
import type { Json, SchemaPrinter } from "./openapi-schemas.ts";

const { Event: event } = answerExamples;
const streamExample = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** `/tasks/:id` as `/tasks/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

const headerName = (name: string): string =>
  name.replaceAll(/(?<=^|-)(?:id$|[a-z])/g, (letters) => letters.toUpperCase());

const describeParameters = (
  place: "path" | "query" | "header",
  object: TObject | undefined,
  { print }: SchemaPrinter,
) =>
  Object.entries(object?.properties ?? {}).map(([name, property]) => {
    const { description, examples = [], ...schema } = print(property) as Json & { examples?: unknown[] };
    const required = object?.required?.includes(name) ?? false;
    return {
      name: place === "header" ? headerName(name) : name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema,
      ...(schema.type === "array" && { style: "form", explode: true }),
      ...(examples[0] !== undefined && { example: examples[0] }),
    };
  });

const describeBody = (name: string, { method, body, isBodyOptional }: Operation, { print }: SchemaPrinter): Json => {
  if (!body) return {};
  const examples = Object.entries(bodyExamples[name as keyof typeof bodyExamples] ?? {});
  const media = {
    schema: print(body),
    ...(examples.length > 0 && {
      examples: Object.fromEntries(
        examples.map(([summary, value]) => [summary.replaceAll(/[^\w]+/g, "-").toLowerCase(), { summary, value }]),
      ),
    }),
  };
  return {
    requestBody: {
      required: !isBodyOptional,
      content: {
        "application/json": media,
        ...(method === "PATCH" && { "application/merge-patch+json": media }),
      },
    },
  };
};

const defaultDescription = (
  { stream }: Operation,
  status: number,
  { properties = {} }: { properties?: object },
): string => {
  if (stream) return "What happens, as a stream, or one page of what happened.";
  if (status === 201) return "Created, as it is now.";
  if (status === 204) return "Done. The answer has no body.";
  return "next_cursor" in properties ? "One page." : "As it is now.";
};

const describeStream = (description: string): Json => ({
  "text/event-stream": { schema: { type: "string", description }, example: streamExample },
});

const describeAnswers = (operation: Operation, { print }: SchemaPrinter): Json =>
  Object.fromEntries(
    Object.entries(operation.response).map(([status, answer]) => {
      const { description = defaultDescription(operation, Number(status), answer), ...schema } = answer as TSchema & {
        description?: string;
      };
      return [
        status,
        {
          description,
          headers: successHeaders(operation, Number(status), answer),
          ...(status !== "204" && {
            content: {
              ...(operation.stream && describeStream(operation.stream)),
              "application/json": { schema: print(schema) },
            },
          }),
        },
      ];
    }),
  );

/** `name` becomes the `operationId`; the client's method has it too. */
export const describeOperation = (name: string, operation: Operation, printer: SchemaPrinter): Json => {
  const { tag, summary, description, params, querystring, headers, isPublic, signatures = [] } = operation;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(isPublic && { security: signatures.map((scheme) => ({ [scheme]: [] })) }),
    parameters: [
      ...describeParameters("path", params, printer),
      ...describeParameters("query", querystring, printer),
      ...describeParameters("header", headers, printer),
      { $ref: "#/components/parameters/X-Request-Id" },
    ],
    ...describeBody(name, operation, printer),
    responses: { ...describeAnswers(operation, printer), ...problemResponses(operation) },
  };
};
