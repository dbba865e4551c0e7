// Names what a task is linked to on the git host, and how that stands there (D-34).
import type { GitLink, GitState, TaskSummary } from "@task-service/contract";

export type GitLinked = Pick<TaskSummary, "git_state"> & { git_link: GitLink };

export const isGitLinked = <T extends Pick<TaskSummary, "git_link">>(task: T): task is T & { git_link: GitLink } =>
  task.git_link !== null;

export type GitStanding = `${GitState["kind"]}-${"open" | "closed" | "merged" | "draft" | "unread"}` | "unreadable";

/** What its icon and its words say; the git host knows better than the address whether it is a pull request. */
export const gitStanding = ({ git_link, git_state }: GitLinked): GitStanding => {
  if (!git_state) return `${git_link.kind}-unread`;
  const { kind, state, draft } = git_state;
  if (state === "unreadable") return state;
  return draft && state === "open" ? `${kind}-draft` : `${kind}-${state}`;
};

const words: Record<GitStanding, string> = {
  "issue-open": "Open issue",
  "issue-closed": "Closed issue",
  "issue-merged": "Closed issue",
  "issue-draft": "Open issue",
  "issue-unread": "Issue",
  "pull_request-open": "Open pull request",
  "pull_request-closed": "Closed pull request",
  "pull_request-merged": "Merged pull request",
  "pull_request-draft": "Draft pull request",
  "pull_request-unread": "Pull request",
  unreadable: "Not readable",
};

export const gitWord = (standing: GitStanding): string => words[standing];

/** As people on the git host write it: `acme/webshop#12`. */
export const gitReference = ({ owner, repo, number }: GitLink): string => `${owner}/${repo}#${number}`;

const commitCharacters = 8;

export const shortCommit = (commit: string): string => commit.slice(0, commitCharacters);

/** Where people see a file at a commit, and a line of it: Gitea and Forgejo number lines only in the source view. */
export const gitFileUrl = (repositoryUrl: string, commit: string, path: string, line: number | null): string => {
  const file = path.split("/").map(encodeURIComponent).join("/");
  return `${repositoryUrl}/src/commit/${encodeURIComponent(commit)}/${file}${line === null ? "" : `?display=source#L${line}`}`;
};

/** What the address names, "Issue acme/webshop#12", as far as its form tells; null if it is none on this git host. */
export const gitAddressWords = (gitUrl: string, address: string): string | null => {
  const base = `${gitUrl.replace(/\/+$/, "")}/`;
  if (!address.toLowerCase().startsWith(base.toLowerCase())) return null;
  const found = /^([^/?#]+)\/([^/?#]+)\/(issues|pulls?)\/([1-9]\d*)(?:[/?#].*)?$/.exec(address.slice(base.length));
  if (!found) return null;
  const [, owner, repo, path, number] = found;
  return `${path === "issues" ? "Issue" : "Pull request"} ${owner}/${repo}#${number}`;
};
