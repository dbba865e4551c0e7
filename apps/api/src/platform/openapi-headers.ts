// The headers of answers, and which answer carries which (D-03 to D-06, D-13, D-17).
import type { Operation } from "@task-service/contract";
import type { TSchema } from "typebox";
import type { Json } from "./openapi-schemas.ts";

const whole = { type: "integer", minimum: 0 };

/** As the components of the document. Those that are not `required` are left out where they say nothing. */
export const answerHeaders = {
  "X-Request-Id": {
    description: "Names this request in the log; yours, if you sent a sane one.",
    required: true,
    schema: { type: "string" },
    example: "3d8c1a54-6a0f-4a4e-9a57-0f7a3c1f2b6e",
  },
  Location: {
    description: "Where the new resource is, relative to this address.",
    required: true,
    schema: { type: "string" },
    example: "tasks/01a1fc7d-059e-71ce-8b5d-47f2932cc04a",
  },
  ETag: {
    description: "The task's version, to be sent as `If-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' },
    example: '"7"',
  },
  Link: {
    description: "The next page, relative to this address; absent on the last one.",
    schema: { type: "string", pattern: '^<[^>]+>; rel="next"$' },
    example: '<?limit=50&cursor=WyJhIl0>; rel="next"',
  },
  "Idempotency-Replayed": {
    description: "The key was used before: this is what it created then.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  "WWW-Authenticate": {
    description: "Which kind of token is wanted, and what was wrong with the one sent.",
    required: true,
    schema: { type: "string" },
    example: 'Bearer error="invalid_token", error_description="The token has expired"',
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: whole,
    example: 1,
  },
  "RateLimit-Limit": { description: "Requests a minute.", schema: whole, example: 60_000 },
  "RateLimit-Remaining": { description: "Requests left in this minute.", schema: whole, example: 59_987 },
  "RateLimit-Reset": { description: "Seconds until the minute is over.", schema: whole, example: 42 },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

const rateLimit: AnswerHeader[] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

const referring = (names: readonly AnswerHeader[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of a successful answer. */
export const successHeaders = (
  { isPublic, headers }: Operation,
  status: number,
  { $ref, properties = {} }: TSchema & { $ref?: string; properties?: object },
): Json => {
  const isReplayable = headers !== undefined && "idempotency-key" in headers.properties;
  return referring([
    "X-Request-Id",
    ...(status === 201 && $ref ? (["Location"] as const) : []),
    ...($ref === "Task#" ? (["ETag"] as const) : []),
    ...("next_cursor" in properties ? (["Link"] as const) : []),
    ...(status === 201 && isReplayable ? (["Idempotency-Replayed"] as const) : []),
    ...(isPublic ? [] : rateLimit),
  ]);
};

/** Of a problem document. */
export const problemHeaders = (status: number): Json =>
  referring([
    "X-Request-Id",
    ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
    ...(status === 429 ? rateLimit : []),
  ]);
