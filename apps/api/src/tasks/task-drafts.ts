// What a new task will hold (D-12): the request with everything that was left out filled in.
import type { Actor, GitLink, TaskCreate } from "@task-service/contract";
import { parseGitLink } from "../git/git-address.ts";
import type { CreationKey } from "../idempotency/creation-keys.ts";
import { createId, timeOfId } from "../platform/identifiers.ts";
import { invalid } from "../platform/problems.ts";
import { assignmentOf, organizationOf } from "./assignment.ts";
import type { NewTask } from "./task-queries.ts";
import { nameOf, type References } from "./task-references.ts";

const defaultTitleCharacters = 120;

/** The prompt's first line that is not empty, cut at 120 characters. */
export const titleOf = (prompt: string): string => {
  const [line = ""] = /\S[^\r\n]*/.exec(prompt) ?? [];
  // A character takes at most two places: what lies behind cannot be part of the title.
  const beginning = line.trimEnd().slice(0, 2 * defaultTitleCharacters);
  return [...beginning].slice(0, defaultTitleCharacters).join("");
};

/** The link a caller sent as an address; `invalid_request` unless it is an issue or pull request on the git host. */
export const readGitLink = (gitUrl: string, address: string | null | undefined): GitLink | null => {
  if (address === null || address === undefined) return null;
  const link = parseGitLink(gitUrl, address);
  if (!link) throw invalid("/git_link", `must be the address of an issue or pull request on ${gitUrl}`);
  return link;
};

const lineageOf = (id: string, parentId: string | null | undefined, { parents }: References) => {
  if (parentId === null || parentId === undefined) return { parent_id: null, root_id: id, depth: 0 };
  const parent = parents.get(nameOf(parentId));
  if (!parent) throw invalid("/parent_id", "is not the id of a task");
  return { parent_id: parent.id, root_id: parent.root_id, depth: parent.depth + 1 };
};

/** A request to create a task, and who makes it. */
export interface Submission {
  request: TaskCreate;
  actor: Actor;
  /** Of a single task; that of a bulk belongs to all of its tasks together. */
  key?: CreationKey | undefined;
}

/** Throws `invalid_request`, `unknown_assignee` or `inactive_agent_type`. Ids grow from draft to draft. */
export const draftTask = (gitUrl: string, references: References, { request, actor }: Submission): NewTask => {
  const id = createId();
  const git_link = readGitLink(gitUrl, request.git_link);
  const assignment = assignmentOf(request, references);
  return {
    ...lineageOf(id, request.parent_id, references),
    id,
    organization_id: organizationOf(request, assignment, references),
    title: request.title ?? titleOf(request.prompt),
    prompt: request.prompt,
    priority: request.priority ?? 0,
    assignee_type: assignment.assignee_type,
    assignee: assignment.assignee,
    labels: request.labels ?? [],
    git_link,
    created_by: actor,
    created_at: new Date(timeOfId(id)).toISOString(),
  };
};
