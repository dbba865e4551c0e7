// The part of Gitea's API the service reads (shared/git-host/CONTRACT.md), answered from plain folders.
import { branchAnswer, commitAnswer, repositoryAnswer } from "./git-host-answers.ts";
import { contentsAnswer } from "./git-host-contents.ts";
import { defaultBranch, type GitRepositories, type GitRepository } from "./git-repository.ts";

export interface ApiAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface ApiRequest {
  root: string;
  repositories: GitRepositories;
  readToken: string;
  authorization: string | undefined;
  /** The decoded parts of the path after `/api/v1`. */
  segments: string[];
  ref: string | undefined;
}

const ok = (body: unknown, headers = {}): ApiAnswer => ({ status: 200, body, headers });

/** A wrong token is refused everywhere; without one every repository is as good as absent: all are private. */
export const apiAnswer = async (request: ApiRequest): Promise<ApiAnswer> => {
  const { root, repositories, segments } = request;
  const problem = (status: number, message: string): ApiAnswer => ({
    status,
    body: { message, url: `${root}/api/swagger` },
  });
  const caller = callerOf(request);
  if (caller === "refused") return problem(401, "invalid username, password or token");
  const [first, owner = "", name = "", ...rest] = segments;
  if (first === "version" && segments.length === 1) return ok({ version: "1.27.1" });
  const mayRead = first === "repos" && caller === "reader";
  const repository = mayRead ? await repositories.find(owner, name) : undefined;
  const answer = repository && (await repositoryPart(request, repository, rest));
  return answer === undefined
    ? problem(404, "not found")
    : "message" in answer
      ? problem(answer.status, answer.message)
      : answer;
};

const callerOf = ({ authorization, readToken }: ApiRequest): "anonymous" | "reader" | "refused" => {
  if (authorization === undefined) return "anonymous";
  return /^(?:token|bearer) (.*)$/i.exec(authorization)?.[1] === readToken ? "reader" : "refused";
};

type Refusal = { status: number; message: string };

const repositoryPart = async (
  request: ApiRequest,
  repository: GitRepository,
  [part, ...rest]: string[],
): Promise<ApiAnswer | Refusal | undefined> => {
  const { root, repositories } = request;
  if (part === "contents") return contents(request, repository, rest.join("/"));
  if (part === "issues") return rest.length === 0 ? ok([], { "X-Total-Count": "0" }) : undefined;
  const head = await repositories.head(repository);
  if (part === undefined) return ok(repositoryAnswer(root, repository, head));
  if (part === "branches" && rest.join("/") === defaultBranch) return head && ok(branchAnswer(root, repository, head));
  if (part !== "commits" || rest.length > 0) return undefined;
  if (!head) return { status: 409, message: "Git Repository is empty." };
  return ok([commitAnswer(root, repository, head)], { "X-Total-Count": "1" });
};

const contents = async (
  { root, repositories, ref }: ApiRequest,
  repository: GitRepository,
  path: string,
): Promise<ApiAnswer | Refusal> => {
  if (path.split("/").some((segment) => segment.toLowerCase() === ".git"))
    return { status: 400, message: `path contains a malformed path component [path: ${path}]` };
  const snapshot = await repositories.resolve(repository, ref);
  const answer = snapshot && contentsAnswer({ root, repository, snapshot, ref, path });
  return answer ? ok(answer) : { status: 404, message: `object does not exist [id: ${ref ?? ""}, rel_path: ${path}]` };
};
