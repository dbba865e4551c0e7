// Issues and pull requests as Gitea 1.27 describes them (shared/git-host): an issue, a pull request as an issue, a pull request.
import { createHash } from "node:crypto";
import { developer, idOf, type RepositoryState, repositoryAnswer, zeroCommit } from "./git-host-answers.ts";
import type { GitIssue } from "./git-issue.ts";
import { defaultBranch, type GitRepository } from "./git-repository.ts";
import { committedAt } from "./git-snapshot.ts";
import { rfc3339 } from "./git-time.ts";

/** Where a person sees it, below the root. */
export const issuePath = ({ owner, name }: GitRepository, { kind, number }: GitIssue): string =>
  `${owner}/${name}/${kind === "issue" ? "issues" : "pulls"}/${number}`;

/** The larger the number, the later; never after the last change. */
const createdAt = ({ number, updated_at }: GitIssue): string => {
  const created = rfc3339(new Date(committedAt.getTime() + (number % 100_000) * 60_000));
  return created < updated_at ? created : updated_at;
};

const labelAnswer = (root: string, { owner, name, storedAs }: GitRepository, label: string) => {
  const id = idOf(`${storedAs} label ${label}`);
  return {
    id,
    name: label,
    exclusive: false,
    is_archived: false,
    color: id.toString(16).padStart(6, "0"),
    description: "",
    url: `${root}/api/v1/repos/${owner}/${name}/labels/${id}`,
  };
};

const labelsOf = (root: string, repository: GitRepository, { labels }: GitIssue) =>
  labels.map((label) => labelAnswer(root, repository, label));

/** Also of a pull request: both share one space of numbers. */
export const issueAnswer = (root: string, repository: GitRepository, issue: GitIssue) => {
  const { owner, name, storedAs } = repository;
  const { number, title, body, state, updated_at, draft } = issue;
  const html_url = `${root}/${issuePath(repository, issue)}`;
  const merged = state === "merged";
  return {
    id: idOf(`${storedAs}#${number}`),
    url: `${root}/api/v1/repos/${owner}/${name}/issues/${number}`,
    html_url,
    number,
    user: developer(root),
    original_author: "",
    original_author_id: 0,
    title,
    body,
    ref: "",
    assets: [],
    labels: labelsOf(root, repository, issue),
    milestone: null,
    projects: null,
    assignee: null,
    assignees: null,
    state: state === "open" ? "open" : "closed",
    is_locked: false,
    comments: 0,
    created_at: createdAt(issue),
    updated_at,
    closed_at: state === "open" ? null : updated_at,
    due_date: null,
    time_estimate: 0,
    pull_request: issue.kind === "issue" ? null : { merged, merged_at: merged ? updated_at : null, draft, html_url },
    repository: { id: idOf(storedAs), name, owner, full_name: `${owner}/${name}` },
    pin_order: 0,
    content_version: 0,
  };
};

/** The commits of its branch are made up: the host keeps none. */
export const pullAnswer = (root: string, state: RepositoryState, issue: GitIssue) => {
  const { repository, head } = state;
  const { number, title, body, updated_at, draft } = issue;
  const merged = issue.state === "merged";
  const url = `${root}/${issuePath(repository, issue)}`;
  const repo = repositoryAnswer(root, state);
  const side = (ref: string, sha: string) => ({ label: ref, ref, sha, repo_id: repo.id, repo });
  const base = head?.commit ?? zeroCommit;
  const made = (what: string): string =>
    createHash("sha1").update(`${repository.storedAs}#${number} ${what}`).digest("hex");
  return {
    id: idOf(`${repository.storedAs} pull ${number}`),
    // The address of the page, not of the API: so does Gitea.
    url,
    number,
    user: developer(root),
    title,
    body,
    labels: labelsOf(root, repository, issue),
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_reviewers_teams: [],
    state: issue.state === "open" ? "open" : "closed",
    draft,
    is_locked: false,
    comments: 0,
    additions: 0,
    deletions: 0,
    changed_files: 0,
    html_url: url,
    diff_url: `${url}.diff`,
    patch_url: `${url}.patch`,
    mergeable: true,
    merged,
    merged_at: merged ? updated_at : null,
    merge_commit_sha: merged ? made("merge") : null,
    merged_by: merged ? developer(root) : null,
    allow_maintainer_edit: false,
    base: side(defaultBranch, base),
    head: side(`pull-${number}`, made("head")),
    merge_base: base,
    due_date: null,
    created_at: createdAt(issue),
    updated_at,
    closed_at: issue.state === "open" ? null : updated_at,
    pin_order: 0,
    content_version: 0,
  };
};
