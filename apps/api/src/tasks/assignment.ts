// Who a task is for: turns what a caller sends into an assignee and an organization (D-01, D-12).
import type { AssigneeType } from "@task-service/contract";
import { findAssignable } from "../agents/agent-type-queries.ts";
import { findOrganizationIds } from "../organizations/organization-queries.ts";
import type { Queryable } from "../platform/database.ts";
import { invalid, RequestProblem } from "../platform/problems.ts";

export interface Assignment {
  assignee_type: AssigneeType | null;
  /** An agent type's id in lower case, or a person's name. */
  assignee: string | null;
  /** Of the agent type; undefined when the assignment says nothing of it. */
  organization_id?: string;
}

interface AssignmentRequest {
  assignee_type?: AssigneeType | null;
  assignee?: string | null;
}

const unprocessable = (code: "unknown_assignee" | "inactive_agent_type", detail: string): RequestProblem =>
  new RequestProblem(code, detail, { errors: [{ pointer: "/assignee", detail }] });

/**
 * Throws `invalid_request` unless type and assignee are given together, `unknown_assignee` and
 * `inactive_agent_type` for an agent type that cannot be assigned.
 */
export const resolveAssignment = async (sql: Queryable, request: AssignmentRequest): Promise<Assignment> => {
  const { assignee_type = null, assignee = null } = request;
  if (assignee_type === null && assignee !== null) throw invalid("/assignee_type", "must be given with assignee");
  if (assignee_type !== null && assignee === null) throw invalid("/assignee", "must be given with assignee_type");
  if (assignee_type !== "agent" || assignee === null) return { assignee_type, assignee };

  const agentType = await findAssignable(sql, assignee);
  if (!agentType) {
    throw unprocessable("unknown_assignee", "There is no such agent type; send its id or `<organization>/<slug>`.");
  }
  if (!agentType.is_active) {
    throw unprocessable("inactive_agent_type", "This agent type is inactive: its persona is gone from the repository.");
  }
  return { assignee_type, assignee: agentType.id, organization_id: agentType.organization_id };
};

/** The id of an organization named in a request body; `invalid_request` if there is none. */
export const resolveOrganization = async (sql: Queryable, idOrSlug: string): Promise<string> => {
  const [id] = await findOrganizationIds(sql, [idOrSlug]);
  if (id === undefined) throw invalid("/organization", "is not an organization's id or slug");
  return id;
};
