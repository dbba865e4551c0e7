// What happened to the issues of a repository between two looks at them, as the actions Gitea tells of. Pure.
import type { GitIssue } from "./git-issue.ts";

export interface IssueChange {
  action: "opened" | "edited" | "label_updated" | "closed" | "reopened" | "deleted";
  /** As it is after all of its changes; a deleted one as it was. */
  issue: GitIssue;
  /** What an edit replaced. */
  changes?: { title: { from: string } } | { body: { from: string } };
}

/** By number; those of one issue in the order in which a person could have made them. */
export const issueChanges = (before: GitIssue[], after: GitIssue[]): IssueChange[] => {
  const old = byNumber(before);
  const now = byNumber(after);
  const numbers = [...new Set([...old.keys(), ...now.keys()])].sort((one, other) => one - other);
  return numbers.flatMap((number) => changesOf(old.get(number), now.get(number)));
};

const byNumber = (issues: GitIssue[]): Map<number, GitIssue> => new Map(issues.map((issue) => [issue.number, issue]));

const changesOf = (before: GitIssue | undefined, issue: GitIssue | undefined): IssueChange[] => {
  if (!issue) return before ? [{ action: "deleted", issue: before }] : [];
  if (!before) {
    const opened: IssueChange = { action: "opened", issue };
    return issue.state === "open" ? [opened] : [opened, { action: "closed", issue }];
  }
  if (before.kind !== issue.kind) return [...changesOf(before, undefined), ...changesOf(undefined, issue)];
  // A draft is one by its title; taking it for done is an edit of that.
  const isRetitled = before.title !== issue.title || before.draft !== issue.draft;
  const isRelabelled = [...before.labels].sort().join("\n") !== [...issue.labels].sort().join("\n");
  return [
    ...(isRetitled ? [{ action: "edited", issue, changes: { title: { from: before.title } } } as const] : []),
    ...(before.body !== issue.body
      ? [{ action: "edited", issue, changes: { body: { from: before.body } } } as const]
      : []),
    ...(isRelabelled ? [{ action: "label_updated", issue } as const] : []),
    ...(before.state !== issue.state
      ? [{ action: issue.state === "open" ? "reopened" : "closed", issue } as const]
      : []),
  ];
};
