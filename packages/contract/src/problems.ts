// The one shape of every answer from 400 up (D-03, RFC 9457) and the closed list of its codes.
import Type, { type Static } from "typebox";
import { named, oneOf } from "./schema.ts";

/** Every code with its HTTP status and title. Clients branch on the code. */
export const problemCodes = {
  invalid_request: { status: 400, title: "The request is not valid" },
  unauthenticated: { status: 401, title: "A valid access token is needed" },
  not_a_member: { status: 403, title: "Not a member of the group" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "This method is not allowed here" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  conflict: { status: 409, title: "Conflict" },
  already_queued: { status: 409, title: "The task is queued already" },
  already_dispatched: { status: 409, title: "The task is being worked on" },
  stale_dispatch: { status: 409, title: "The dispatch is not the live one" },
  stale_signal: { status: 409, title: "A newer signal was seen" },
  claim_key_spent: { status: 409, title: "The claim key is spent" },
  slug_taken: { status: 409, title: "The slug is taken" },
  organization_in_use: { status: 409, title: "The organization has tasks under way" },
  precondition_failed: { status: 412, title: "The task has changed since" },
  payload_too_large: { status: 413, title: "The body is too large" },
  uri_too_long: { status: 414, title: "The address is too long" },
  unsupported_media_type: { status: 415, title: "The body must be JSON" },
  unknown_assignee: { status: 422, title: "No such agent type" },
  inactive_agent_type: { status: 422, title: "The agent type is inactive" },
  unknown_filter: { status: 422, title: "The filter can never match" },
  idempotency_key_reused: { status: 422, title: "The idempotency key belongs to another request" },
  follow_up_limit: { status: 422, title: "Too many follow-up tasks" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  internal_error: { status: 500, title: "Something went wrong here" },
  identity_provider_unavailable: { status: 503, title: "The identity provider cannot be reached" },
  database_unavailable: { status: 503, title: "The database cannot be reached" },
  overloaded: { status: 503, title: "Too busy" },
} as const;

export type ProblemCode = keyof typeof problemCodes;

export const Problem = named("Problem", {
  type: Type.String({ description: "A URI reference that names the kind of problem" }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: "What is wrong and what to do about it" }),
  code: oneOf(Object.keys(problemCodes) as ProblemCode[]),
  request_id: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        pointer: Type.String({ description: "JSON pointer into the body, or `?name` for a parameter" }),
        detail: Type.String(),
      }),
    ),
  ),
});
export type Problem = Static<typeof Problem>;
