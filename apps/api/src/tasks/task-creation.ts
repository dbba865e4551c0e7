// Creating tasks (D-12): fills in what was left out, then one statement makes the task, its place and its event.
import type { Actor, GitLink, Task, TaskCreate } from "@task-service/contract";
import { parseGitLink } from "../git/git-address.ts";
import type { Queryable } from "../platform/database.ts";
import { createId, timeOfId } from "../platform/identifiers.ts";
import { invalid } from "../platform/problems.ts";
import { type Assignment, resolveAssignment, resolveOrganization } from "./assignment.ts";
import { findLineage, insertTask, namesSomethingGone } from "./task-queries.ts";

const defaultTitleCharacters = 120;

/** The prompt's first line that is not empty, cut at 120 characters. */
export const titleOf = (prompt: string): string => {
  const line = prompt.split(/\r\n|[\n\r]/).find((one) => one.trim() !== "") ?? "";
  return [...line.trim()].slice(0, defaultTitleCharacters).join("");
};

/** The link a caller sent as an address; `invalid_request` unless it is an issue or pull request on the git host. */
export const readGitLink = (gitUrl: string, address: string | null | undefined): GitLink | null => {
  if (address === null || address === undefined) return null;
  const link = parseGitLink(gitUrl, address);
  if (!link) throw invalid("/git_link", `must be the address of an issue or pull request on ${gitUrl}`);
  return link;
};

const organizationOf = async (
  sql: Queryable,
  assignment: Assignment,
  organization: string | undefined,
): Promise<string> => {
  const named = organization === undefined ? undefined : await resolveOrganization(sql, organization);
  const id = assignment.organization_id ?? named;
  if (id === undefined) throw invalid("/organization", "is needed when the task is not for an agent type");
  if (named !== undefined && named !== id) throw invalid("/organization", "is not the agent type's organization");
  return id;
};

const lineageOf = async (sql: Queryable, id: string, parentId: string | null) => {
  if (parentId === null) return { parent_id: null, root_id: id, depth: 0 };
  const parent = await findLineage(sql, parentId);
  if (!parent) throw invalid("/parent_id", "is not the id of a task");
  return { parent_id: parentId, root_id: parent.root_id, depth: parent.depth + 1 };
};

/** Throws `invalid_request`, `unknown_assignee` or `inactive_agent_type`. */
export const createTask = async (
  { sql, gitUrl }: { sql: Queryable; gitUrl: string },
  request: TaskCreate,
  actor: Actor,
): Promise<Task> => {
  const id = createId();
  const git_link = readGitLink(gitUrl, request.git_link);
  const assignment = await resolveAssignment(sql, request);
  const organization_id = await organizationOf(sql, assignment, request.organization);
  const lineage = await lineageOf(sql, id, request.parent_id ?? null);
  return insertTask(sql, {
    ...lineage,
    id,
    organization_id,
    title: request.title ?? titleOf(request.prompt),
    prompt: request.prompt,
    priority: request.priority ?? 0,
    assignee_type: assignment.assignee_type,
    assignee: assignment.assignee,
    labels: request.labels ?? [],
    git_link,
    created_by: actor,
    created_at: new Date(timeOfId(id)).toISOString(),
  }).catch((error: unknown) => {
    // Deleted since it was looked up: looked for again it is missing, and says so.
    if (namesSomethingGone(error)) return createTask({ sql, gitUrl }, request, actor);
    throw error;
  });
};
