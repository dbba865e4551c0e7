// Issues and pull requests on a scripted git host: read one by one and in lists, renamed, deleted, hidden, in pages of any size.
import type { ServerResponse } from "node:http";
import { answerJson, type ScriptedGitHost } from "./scripted-git-host.ts";

export interface ScriptedIssue {
  number: number;
  title: string;
  state: "open" | "closed";
  updated_at: string;
  labels?: string[];
  pull?: { merged: boolean; draft: boolean };
}

export interface ScriptedRepository {
  id: number;
  /** As the host calls it now. */
  full_name: string;
  issues: ScriptedIssue[];
}

export interface ScriptedIssues {
  /** By the names that lead there, in lower case; only the one it has now answers, others redirect. */
  repositories: Map<string, ScriptedRepository>;
  /** Answers instead of the rest, with this status. */
  refuse: (path: string) => number | undefined;
  /** Answers by itself, now or later, if it returns true. */
  instead: (response: ServerResponse) => boolean;
  /** What the Date header says. */
  now: string;
  maxPage: number;
  /** Called before each page of a list is put together. */
  beforePage: (page: number) => void;
}

/** An issue as the host's API and its deliveries tell of it. */
export const issueBody = ({ full_name, id }: ScriptedRepository, issue: ScriptedIssue) => ({
  id: 1000 + issue.number,
  url: `https://elsewhere.example/${issue.number}`,
  html_url: `https://elsewhere.example/${issue.number}`,
  number: issue.number,
  title: issue.title,
  state: issue.state,
  labels: (issue.labels ?? []).map((name, index) => ({ id: index, name, color: "ee0701" })),
  assignees: null,
  updated_at: issue.updated_at,
  pull_request: issue.pull ? { ...issue.pull, merged_at: null } : null,
  repository: { id, name: full_name.split("/")[1], owner: full_name.split("/")[0], full_name },
});

const listIssues = (
  scripted: ScriptedIssues,
  repository: ScriptedRepository,
  query: URLSearchParams,
  response: ServerResponse,
): true => {
  const page = Number(query.get("page"));
  scripted.beforePage(page);
  const since = Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z");
  const found = repository.issues
    .filter(({ updated_at }) => Date.parse(updated_at) >= since)
    .toSorted((a, b) => b.number - a.number);
  const size = Math.min(Number(query.get("limit")), scripted.maxPage);
  response.setHeader("x-total-count", found.length);
  const shown = found.slice((page - 1) * size, page * size);
  return answerJson(
    response,
    shown.map((issue) => issueBody(repository, issue)),
  );
};

export const serveIssues = (host: ScriptedGitHost): ScriptedIssues => {
  const scripted: ScriptedIssues = {
    repositories: new Map(),
    refuse: () => undefined,
    instead: () => false,
    now: "2026-08-05T00:00:00.000Z",
    maxPage: 50,
    beforePage: () => {},
  };
  host.answerWith((path, response) => {
    const [, name = "", rest = ""] = /^repos\/([^/]+\/[^/]+)\/issues(.*)$/.exec(path) ?? [];
    if (!name) return false;
    response.setHeader("date", new Date(scripted.now).toUTCString());
    if (scripted.instead(response)) return true;
    const status = scripted.refuse(path);
    const repository = scripted.repositories.get(name.toLowerCase());
    if (status !== undefined || !repository) return answerJson(response, { message: "no" }, status ?? 404);
    if (repository.full_name.toLowerCase() !== name.toLowerCase()) {
      response.writeHead(301, { location: `/api/v1/repos/${repository.full_name}/issues${rest}` }).end();
      return true;
    }
    if (!rest.startsWith("/")) return listIssues(scripted, repository, new URLSearchParams(rest.slice(1)), response);
    const issue = repository.issues.find((one) => one.number === Number(rest.slice(1)));
    return issue
      ? answerJson(response, issueBody(repository, issue))
      : answerJson(response, { message: "not found", errors: null }, 404);
  });
  return scripted;
};
