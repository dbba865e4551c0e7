// What a problem document of each code says, for the document of the API.
import type { Problem, ProblemCode } from "@task-service/contract";

/** `detail` and `errors` as the service really writes them. */
export const problemExamples: Record<ProblemCode, Pick<Problem, "detail" | "errors">> = {
  invalid_request: {
    detail: "priorty: is not known here",
    errors: [{ pointer: "/priorty", detail: "is not known here" }],
  },
  unauthenticated: { detail: "Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`." },
  not_a_member: {
    detail:
      "You are not a member of «task-service». Ask whoever manages that group at your identity provider to add you, then sign in again.",
  },
  not_found: { detail: "There is no such task." },
  method_not_allowed: { detail: "PUT is not allowed here; use GET, POST." },
  request_timeout: { detail: "The request did not arrive in time." },
  conflict: { detail: "The same request is still being answered; try again in a moment." },
  already_queued: { detail: "The task is queued already." },
  already_dispatched: {
    detail: "A worker has this task: prompt and assignee cannot change until its dispatch ends.",
  },
  stale_dispatch: { detail: "This dispatch is over and the task went on without it; stop and forget it." },
  stale_signal: { detail: "A signal of this executor with this sequence or a higher one was seen already." },
  claim_key_spent: { detail: "What this claim key was bound to is over; use a fresh key." },
  slug_taken: {
    detail: "Another organization has this slug; case makes no difference.",
    errors: [{ pointer: "/slug", detail: "is taken" }],
  },
  organization_in_use: { detail: "The organization has tasks that are queued or being worked on." },
  precondition_failed: { detail: "The task is at version 8 now; read it again." },
  payload_too_large: { detail: "The body is larger than this route takes." },
  uri_too_long: { detail: "The path is too long." },
  unsupported_media_type: { detail: "Send JSON with the header `Content-Type: application/json`." },
  unknown_assignee: {
    detail: "There is no such agent type; send its id or `<organization>/<slug>`.",
    errors: [{ pointer: "/assignee", detail: "There is no such agent type; send its id or `<organization>/<slug>`." }],
  },
  inactive_agent_type: {
    detail: "This agent type is inactive: its persona is gone from the repository.",
    errors: [{ pointer: "/assignee", detail: "This agent type is inactive: its persona is gone from the repository." }],
  },
  unknown_filter: {
    detail: "There is no such organization.",
    errors: [{ pointer: "/organization", detail: "There is no such organization." }],
  },
  idempotency_key_reused: { detail: "This Idempotency-Key was used with another body; use a fresh one." },
  follow_up_limit: {
    detail: "A chain of follow-ups ends at depth 32.",
    errors: [{ pointer: "/parent_id", detail: "A chain of follow-ups ends at depth 32." }],
  },
  rate_limited: { detail: "Too many requests; try again in 12 s." },
  headers_too_large: { detail: "The headers are larger than 32 KiB." },
  internal_error: { detail: "Something went wrong here; it has been logged." },
  identity_provider_unavailable: { detail: "The identity provider cannot be reached to check the token." },
  database_unavailable: { detail: "The database cannot be reached; try again in a moment." },
  overloaded: { detail: "The answer took too long; try again in a moment." },
};
