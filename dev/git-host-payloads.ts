// The bodies of webhooks as Gitea 1.27 writes them (shared/git-host): a push, a change of an issue or pull request.
import { developer, payloadCommit, type RepositoryState, repositoryAnswer, zeroCommit } from "./git-host-answers.ts";
import { type Dialect, manners } from "./git-host-dialect.ts";
import { issueAnswer, pullAnswer } from "./git-issue-answers.ts";
import type { IssueChange } from "./git-issue-changes.ts";
import { defaultBranch } from "./git-repository.ts";
import type { Snapshot } from "./git-snapshot.ts";

export interface Push {
  before: Snapshot | undefined;
  after: Snapshot;
}

export type Happening = { state: RepositoryState } & ({ push: Push } | { change: IssueChange });

export interface Payload {
  event: "push" | "issues" | "pull_request";
  /** What the Event-Type headers say. */
  type: string;
  body: object;
}

/** Undefined for what the dialect does not tell of. */
export const payloadOf = (root: string, dialect: Dialect, happening: Happening): Payload | undefined => {
  const { state } = happening;
  if ("push" in happening) return { event: "push", type: "push", body: pushBody(root, state, happening.push) };
  const { change } = happening;
  if (change.action === "deleted" && !manners[dialect].tellsDeletions) return undefined;
  const isLabel = change.action === "label_updated";
  return change.issue.kind === "issue"
    ? { event: "issues", type: isLabel ? "issue_label" : "issues", body: issueBody(root, state, change) }
    : {
        event: "pull_request",
        type: isLabel ? "pull_request_label" : "pull_request",
        body: pullBody(root, state, change),
      };
};

const pushBody = (root: string, state: RepositoryState, { before, after }: Push) => {
  const { repository } = state;
  const from = before?.commit ?? zeroCommit;
  const commit = { ...payloadCommit(root, repository, after), ...changedFiles(before, after) };
  const pusher = developer(root);
  return {
    ref: `refs/heads/${defaultBranch}`,
    before: from,
    after: after.commit,
    compare_url: `${root}/${repository.owner}/${repository.name}/compare/${from}...${after.commit}`,
    commits: [commit],
    total_commits: 1,
    head_commit: commit,
    repository: repositoryAnswer(root, state),
    pusher,
    sender: pusher,
  };
};

const changedFiles = (before: Snapshot | undefined, after: Snapshot) => {
  const old = filesOf(before);
  const now = filesOf(after);
  return {
    added: [...now.keys()].filter((path) => !old.has(path)),
    removed: [...old.keys()].filter((path) => !now.has(path)),
    modified: [...now].filter(([path, sha]) => old.has(path) && old.get(path) !== sha).map(([path]) => path),
  };
};

const filesOf = (snapshot: Snapshot | undefined): Map<string, string> =>
  new Map(
    [...(snapshot?.entries.values() ?? [])].filter(({ mode }) => mode !== "40000").map(({ path, sha }) => [path, sha]),
  );

const headOf = ({ action, issue, changes }: IssueChange) => ({
  action,
  number: issue.number,
  ...(changes && { changes }),
});

const issueBody = (root: string, state: RepositoryState, change: IssueChange) => ({
  ...headOf(change),
  issue: issueAnswer(root, state.repository, change.issue),
  repository: repositoryAnswer(root, state),
  sender: developer(root),
  commit_id: "",
});

const pullBody = (root: string, state: RepositoryState, change: IssueChange) => ({
  ...headOf(change),
  pull_request: pullAnswer(root, state, change.issue),
  requested_reviewer: null,
  repository: repositoryAnswer(root, state),
  sender: developer(root),
  commit_id: "",
  review: null,
});
