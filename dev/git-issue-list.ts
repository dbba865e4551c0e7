// What is answered below `issues` and `pulls`: one of them, or those a query asks for in pages (shared/git-host/CONTRACT.md 3). Pure.
import type { RepositoryState } from "./git-host-answers.ts";
import type { GitIssue } from "./git-issue.ts";
import { issueAnswer, pullAnswer } from "./git-issue-answers.ts";
import { readTime } from "./git-time.ts";

const defaultLimit = 30;
const maxLimit = 50;

const types: Record<string, GitIssue["kind"]> = { issues: "issue", pulls: "pull_request" };

export interface IssuesRequest {
  root: string;
  state: RepositoryState;
  /** Below `issues` there are both, below `pulls` only pull requests, described at greater length. */
  part: "issues" | "pulls";
  /** Of one; without it the list is meant. */
  number: string | undefined;
  query: URLSearchParams;
}

/** Undefined when there is none of that number; 422 for a time that is none. */
export const issuesAnswer = ({ root, state, part, number, query }: IssuesRequest) => {
  const { repository, issues } = state;
  const all = part === "pulls" ? issues.filter(({ kind }) => kind === "pull_request") : issues;
  const describe = (issue: GitIssue) =>
    part === "pulls" ? pullAnswer(root, state, issue) : issueAnswer(root, repository, issue);
  if (number !== undefined) {
    const issue = all.find((one) => String(one.number) === number);
    return issue && { status: 200, body: describe(issue) };
  }
  try {
    const address = `${root}/api/v1/repos/${repository.owner}/${repository.name}/${part}`;
    const { items, headers } = pageOf(selectIssues(all, part, query), query, address);
    return { status: 200, body: items.map(describe), headers };
  } catch (error) {
    if (error instanceof RangeError) return { status: 422, message: error.message };
    throw error;
  }
};

/** In their order. Of pull requests only the state can be chosen. Throws a RangeError for a time that is none. */
const selectIssues = (issues: GitIssue[], part: "issues" | "pulls", asked: URLSearchParams): GitIssue[] => {
  const state = asked.get("state");
  const query = part === "issues" ? asked : new URLSearchParams();
  const kind = types[query.get("type") ?? ""];
  const labels = (query.get("labels") ?? "").split(",").filter(Boolean);
  const since = timeOf(query, "since");
  const before = timeOf(query, "before");
  return issues.filter((issue) => {
    const updated = Date.parse(issue.updated_at);
    return (
      (state === "all" || (issue.state === "open") === (state !== "closed")) &&
      (kind === undefined || issue.kind === kind) &&
      labels.every((label) => issue.labels.includes(label)) &&
      (since === undefined || updated >= since) &&
      (before === undefined || updated <= before)
    );
  });
};

const timeOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  if (!text) return undefined;
  const time = readTime(text);
  if (!time) throw new RangeError(`parsing time "${text}" as "2006-01-02T15:04:05Z07:00" (${name})`);
  return time.getTime();
};

interface Page<T> {
  items: T[];
  /** `X-Total-Count`, and `Link` if there are more pages than one. */
  headers: Record<string, string>;
}

/** The page `query` asks for, 30 long unless it says otherwise, 50 at most. `address` is that of the list, without query. */
const pageOf = <T>(all: T[], query: URLSearchParams, address: string): Page<T> => {
  const limit = Math.min(positive(query.get("limit")) ?? defaultLimit, maxLimit);
  const page = positive(query.get("page")) ?? 1;
  const last = Math.max(1, Math.ceil(all.length / limit));
  const link = (number: number, rel: string): string => {
    const to = new URLSearchParams(query);
    to.set("page", String(number));
    return `<${address}?${to}>; rel="${rel}"`;
  };
  const links = [
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first"), link(page - 1, "prev")] : []),
  ];
  return {
    items: all.slice((page - 1) * limit, page * limit),
    headers: { "X-Total-Count": String(all.length), ...(links.length > 0 && { Link: links.join(",") }) },
  };
};

const positive = (text: string | null): number | undefined => {
  const number = Number.parseInt(text ?? "", 10);
  return number > 0 ? number : undefined;
};
