// Who a task is for: turns what a caller sends into an assignee and an organization (D-01, D-12).
import type { AssigneeType } from "@task-service/contract";
import { invalid, RequestProblem } from "../platform/problems.ts";
import { nameOf, type References, type Referring } from "./task-references.ts";

export interface Assignment {
  assignee_type: AssigneeType | null;
  /** An agent type's id in lower case, or a person's name. */
  assignee: string | null;
  /** Of the agent type; undefined when the assignment says nothing of it. */
  organization_id?: string;
}

const unprocessable = (code: "unknown_assignee" | "inactive_agent_type", detail: string): RequestProblem =>
  new RequestProblem(code, detail, { errors: [{ pointer: "/assignee", detail }] });

/**
 * Throws `invalid_request` unless type and assignee are given together, `unknown_assignee` and
 * `inactive_agent_type` for an agent type that cannot be assigned.
 */
export const assignmentOf = (request: Referring, { agentTypes }: References): Assignment => {
  const { assignee_type = null, assignee = null } = request;
  if (assignee_type === null && assignee !== null) throw invalid("/assignee_type", "must be given with assignee");
  if (assignee_type !== null && assignee === null) throw invalid("/assignee", "must be given with assignee_type");
  if (assignee_type !== "agent" || assignee === null) return { assignee_type, assignee };

  const agentType = agentTypes.get(nameOf(assignee));
  if (!agentType) {
    throw unprocessable("unknown_assignee", "There is no such agent type; send its id or `<organization>/<slug>`.");
  }
  if (!agentType.is_active) {
    throw unprocessable("inactive_agent_type", "This agent type is inactive: its persona is gone from the repository.");
  }
  return { assignee_type, assignee: agentType.id, organization_id: agentType.organization_id };
};

/** The organization a new task belongs to; `invalid_request` if it names none, or another than its agent type's. */
export const organizationOf = (
  { organization }: Referring,
  { organization_id }: Assignment,
  { organizations }: References,
): string => {
  const named = organization === undefined ? undefined : organizations.get(nameOf(organization));
  if (organization !== undefined && named === undefined) {
    throw invalid("/organization", "is not an organization's id or slug");
  }
  const id = organization_id ?? named;
  if (id === undefined) throw invalid("/organization", "is needed when the task is not for an agent type");
  if (named !== undefined && named !== id) throw invalid("/organization", "is not the agent type's organization");
  return id;
};
