// Which problems an operation may answer (D-03), and how the document says so: by status, each with exactly its codes.
import { type Operation, type ProblemCode, problemCodes } from "@task-service/contract";
import { problemHeaders } from "./openapi-headers.ts";
import { problemExamples } from "./openapi-problem-examples.ts";
import type { Json } from "./openapi-schemas.ts";
import { problemDocument, RequestProblem } from "./problems.ts";

const commonProblems: readonly ProblemCode[] = [
  "invalid_request",
  "internal_error",
  "database_unavailable",
  "overloaded",
];
const gateProblems: readonly ProblemCode[] = [
  "unauthenticated",
  "not_a_member",
  "rate_limited",
  "identity_provider_unavailable",
];
/** A body is read for every method that may have one, also where none is taken. */
const bodyProblems: readonly ProblemCode[] = ["payload_too_large", "unsupported_media_type"];

/** All codes of an operation: its own and those that every operation like it has. */
export const codesOf = ({ method, isPublic, problems = [] }: Operation): ProblemCode[] => [
  ...new Set([
    ...commonProblems,
    ...(isPublic ? [] : gateProblems),
    ...(method === "GET" ? [] : bodyProblems),
    ...problems,
  ]),
];

const responseName = (codes: readonly ProblemCode[]): string => codes.join("-or-");

const byStatus = (operation: Operation): [number, ProblemCode[]][] => [
  ...Map.groupBy(codesOf(operation), (code) => problemCodes[code].status),
];

/** The `responses` from 400 up, as references to the components. */
export const problemResponses = (operation: Operation): Json =>
  Object.fromEntries(
    byStatus(operation).map(([status, codes]) => [status, { $ref: `#/components/responses/${responseName(codes)}` }]),
  );

const describeProblem = (status: number, codes: readonly ProblemCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${problemCodes[code].title}.`).join("\n\n"),
  headers: problemHeaders(status),
  content: {
    "application/problem+json": {
      schema: {
        allOf: [
          { $ref: "#/components/schemas/Problem" },
          { properties: { status: { const: status }, code: { enum: codes } } },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

const describeExample = (code: ProblemCode): Json => {
  const { detail, errors } = problemExamples[code];
  const problem = new RequestProblem(code, detail, errors ? { errors } : {});
  return { summary: problemCodes[code].title, value: problemDocument(problem, "3d8c1a54-6a0f-4a4e-9a57-0f7a3c1f2b6e") };
};

/** The components that {@link problemResponses} of these operations refer to. */
export const problemComponents = (operations: readonly Operation[]): { responses: Json; examples: Json } => ({
  responses: Object.fromEntries(
    operations.flatMap(byStatus).map(([status, codes]) => [responseName(codes), describeProblem(status, codes)]),
  ),
  examples: Object.fromEntries([...new Set(operations.flatMap(codesOf))].map((code) => [code, describeExample(code)])),
});
