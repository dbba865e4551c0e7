// The part of Gitea's API the service reads (shared/git-host/CONTRACT.md), answered from plain folders.
import { branchAnswer, commitAnswer, repositoryAnswer } from "./git-host-answers.ts";
import { contentsAnswer } from "./git-host-contents.ts";
import { type Dialect, manners, notFound, problemBody } from "./git-host-dialect.ts";
import { issuesAnswer } from "./git-issue-list.ts";
import type { GitIssues } from "./git-issues.ts";
import { defaultBranch, type GitRepositories, type GitRepository } from "./git-repository.ts";

export interface ApiAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface ApiRequest {
  root: string;
  dialect: Dialect;
  repositories: GitRepositories;
  issues: GitIssues;
  readToken: string;
  authorization: string | undefined;
  /** What stands before the API's own path in the address asked for: redirects stay below it. */
  base: string;
  /** The decoded parts of the path after `/api/v1`. */
  segments: string[];
  query: URLSearchParams;
}

const ok = (body: unknown, headers = {}): ApiAnswer => ({ status: 200, body, headers });

/** A wrong token is refused everywhere; without one every repository is as good as absent: all are private. */
export const apiAnswer = async (request: ApiRequest): Promise<ApiAnswer> => {
  const { root, dialect, repositories, segments } = request;
  const problem = ({ status, message }: Refusal): ApiAnswer => ({
    status,
    body: problemBody(dialect, root, status, message),
  });
  const caller = callerOf(request);
  if (caller === "refused") return problem({ status: 401, message: manners[dialect].refusal });
  const [first, owner = "", name = "", ...rest] = segments;
  if (first === "version" && segments.length === 1) return ok({ version: manners[dialect].version });
  if (first !== "repos" || caller !== "reader") return problem({ status: 404, message: notFound });
  const repository = await repositories.find(owner, name);
  const answer = repository ? await repositoryPart(request, repository, rest) : moved(request);
  if (answer === undefined) return problem({ status: 404, message: notFound });
  return "message" in answer ? problem(answer) : answer;
};

const callerOf = ({ authorization, readToken, dialect }: ApiRequest): "anonymous" | "reader" | "refused" => {
  if (authorization === undefined) return "anonymous";
  return manners[dialect].credentials.exec(authorization)?.[1] === readToken ? "reader" : "refused";
};

type Refusal = { status: number; message: string };

/** An old name redirects: 301 if the repository is called otherwise, 307 if its owner is. */
const moved = ({ repositories, base, segments: [, owner = "", name = "", ...rest], query }: ApiRequest) => {
  const to = repositories.renames.movedTo({ owner, name });
  if (!to) return undefined;
  const path = ["repos", to.owner, to.name, ...rest].map(encodeURIComponent).join("/");
  const status = to.owner.toLowerCase() === owner.toLowerCase() ? 301 : 307;
  const asked = query.size > 0 ? `?${query}` : "";
  return { status, body: null, headers: { Location: `${base}/api/v1/${path}${asked}` } };
};

const repositoryPart = async (
  request: ApiRequest,
  repository: GitRepository,
  [part, ...rest]: string[],
): Promise<ApiAnswer | Refusal | undefined> => {
  const { root, repositories, query } = request;
  if (part === "contents") return contents(request, repository, rest.join("/"));
  const head = await repositories.head(repository);
  if (part === undefined || part === "issues" || part === "pulls") {
    const state = { repository, head, issues: await request.issues.of(repository) };
    if (part === undefined) return ok(repositoryAnswer(root, state));
    return rest.length > 1 ? undefined : issuesAnswer({ root, state, part, number: rest[0], query });
  }
  if (part === "branches" && rest.join("/") === defaultBranch) return head && ok(branchAnswer(root, repository, head));
  if (part !== "commits" || rest.length > 0) return undefined;
  if (!head) return { status: 409, message: "Git Repository is empty." };
  return ok([commitAnswer(root, repository, head)], { "X-Total-Count": "1" });
};

const contents = async (
  { root, dialect, repositories, query }: ApiRequest,
  repository: GitRepository,
  path: string,
): Promise<ApiAnswer | Refusal> => {
  if (path.split("/").some((segment) => segment.toLowerCase() === ".git"))
    return {
      status: manners[dialect].malformedPath,
      message: `path contains a malformed path component [path: ${path}]`,
    };
  const ref = query.get("ref") || undefined;
  const missing = { status: 404, message: `object does not exist [id: ${ref ?? ""}, rel_path: ${path}]` };
  const snapshot = await repositories.resolve(repository, ref);
  if (snapshot) {
    const answer = contentsAnswer({ root, dialect, repository, snapshot, ref, path });
    return answer ? ok(answer) : missing;
  }
  const isEmpty = manners[dialect].listsEmptyRepository && !(await repositories.head(repository));
  return isEmpty ? ok([]) : missing;
};
