// Commits, branches, owners and repositories as Gitea 1.27 describes them (shared/git-host).
import { createHash } from "node:crypto";
import type { Dialect } from "./git-host-dialect.ts";
import type { GitIssue } from "./git-issue.ts";
import { defaultBranch, type GitRepository } from "./git-repository.ts";
import { commitMessage, committedAt, committer, type Snapshot } from "./git-snapshot.ts";
import { rfc3339 } from "./git-time.ts";

/** A repository as it is at one moment. */
export interface RepositoryState {
  repository: GitRepository;
  /** Undefined while it is empty. */
  head: Snapshot | undefined;
  issues: GitIssue[];
}

const never = "0001-01-01T00:00:00Z";
export const zeroCommit = "0".repeat(40);

const timestamp = rfc3339(committedAt);
const created = timestamp;

/** The same text has the same id. */
export const idOf = (text: string): number => createHash("sha1").update(text).digest().readUInt32BE(0) >>> 8;

export const userAnswer = (root: string, login: string, fullName: string) => ({
  id: idOf(login),
  login,
  login_name: "",
  source_id: 0,
  full_name: fullName,
  email: "",
  avatar_url: `${root}/avatars/${createHash("md5").update(login).digest("hex")}`,
  html_url: `${root}/${login}`,
  language: "",
  is_admin: false,
  last_login: never,
  created,
  restricted: false,
  active: false,
  prohibit_login: false,
  location: "",
  website: "",
  description: "",
  visibility: "public",
  followers_count: 0,
  following_count: 0,
  starred_repos_count: 0,
  username: login,
});

/** Whose name is on every commit, issue and delivery. */
export const developer = (root: string) => userAnswer(root, "development", committer.name);

const can = (names: string[], value: boolean) => Object.fromEntries(names.map((name) => [name, value]));

const openOf = (issues: GitIssue[], kind: GitIssue["kind"]): number =>
  issues.filter((issue) => issue.kind === kind && issue.state === "open").length;

export const repositoryAnswer = (
  root: string,
  { repository: { owner, name, storedAs }, head, issues }: RepositoryState,
) => ({
  id: idOf(storedAs),
  owner: userAnswer(root, owner, ""),
  name,
  full_name: `${owner}/${name}`,
  description: "",
  empty: head === undefined,
  private: true,
  ...can(["fork", "template", "mirror"], false),
  size: Math.ceil(sizeOf(head) / 1024),
  language: "",
  languages_url: `${root}/api/v1/repos/${owner}/${name}/languages`,
  html_url: `${root}/${owner}/${name}`,
  url: `${root}/api/v1/repos/${owner}/${name}`,
  link: "",
  ssh_url: "",
  clone_url: `${root}/${owner}/${name}.git`,
  original_url: "",
  website: "",
  stars_count: 0,
  forks_count: 0,
  watchers_count: 0,
  branch_count: head ? 1 : 0,
  open_issues_count: openOf(issues, "issue"),
  open_pr_counter: openOf(issues, "pull_request"),
  release_counter: 0,
  default_branch: defaultBranch,
  archived: false,
  created_at: created,
  updated_at: timestamp,
  archived_at: "1970-01-01T00:00:00Z",
  permissions: { admin: false, push: false, pull: true },
  ...can(["has_code", "has_issues"], true),
  internal_tracker: can(
    ["enable_time_tracker", "allow_only_contributors_to_track_time", "enable_issue_dependencies"],
    false,
  ),
  has_wiki: false,
  has_pull_requests: true,
  has_projects: false,
  projects_mode: "all",
  ...can(["has_releases", "has_packages", "has_actions", "ignore_whitespace_conflicts"], false),
  ...can(["allow_merge_commits", "allow_rebase", "allow_rebase_explicit", "allow_squash_merge"], true),
  ...can(["allow_fast_forward_only_merge", "allow_merge_update", "allow_rebase_update"], true),
  ...can(["allow_manual_merge", "autodetect_manual_merge", "default_delete_branch_after_merge"], false),
  default_merge_style: "merge",
  default_update_style: "merge",
  default_allow_maintainer_edit: false,
  avatar_url: "",
  internal: false,
  mirror_interval: "",
  object_format_name: "sha1",
  mirror_updated: never,
  mirror_last_sync_at: never,
  topics: [],
  licenses: [],
});

const sizeOf = (head: Snapshot | undefined): number =>
  [...(head?.entries.values() ?? [])].reduce((sum, { bytes }) => sum + bytes.length, 0);

/** A commit as branches and webhooks show it; only webhooks list the files. */
export const payloadCommit = (root: string, { owner, name }: GitRepository, { commit }: Snapshot) => ({
  id: commit,
  message: `${commitMessage}\n`,
  url: `${root}/${owner}/${name}/commit/${commit}`,
  author: { ...committer, username: "" },
  committer: { ...committer, username: "" },
  verification: null,
  timestamp,
});

export const branchAnswer = (root: string, repository: GitRepository, head: Snapshot) => ({
  name: defaultBranch,
  commit: { ...payloadCommit(root, repository, head), added: null, removed: null, modified: null },
  protected: false,
  required_approvals: 0,
  enable_status_check: false,
  status_check_contexts: [],
  user_can_push: false,
  user_can_merge: false,
  effective_branch_protection_name: "",
});

export const commitAnswer = (root: string, { owner, name }: GitRepository, { commit, tree }: Snapshot) => {
  const api = `${root}/api/v1/repos/${owner}/${name}/git`;
  const signature = { ...committer, date: timestamp };
  return {
    url: `${api}/commits/${commit}`,
    sha: commit,
    created: timestamp,
    html_url: `${root}/${owner}/${name}/commit/${commit}`,
    commit: {
      url: `${api}/commits/${commit}`,
      author: signature,
      committer: signature,
      message: `${commitMessage}\n`,
      tree: { url: `${api}/trees/${tree}`, sha: tree, created: timestamp },
      verification: null,
    },
    author: null,
    committer: null,
    parents: [],
  };
};

export const lastCommit = ({ commit }: Snapshot, dialect: Dialect) => ({
  last_commit_sha: commit,
  ...(dialect === "forgejo"
    ? { last_commit_when: timestamp }
    : { last_committer_date: timestamp, last_author_date: timestamp }),
});
