// Addresses on the git host: parsed once, kept as owner, repository and number, rebuilt from them (D-10, D-12, D-30).
import type { GitLink } from "@task-service/contract";

export interface Repository {
  owner: string;
  repo: string;
}

const namePattern = /^[A-Za-z0-9_.-]{1,100}$/;
const isName = (part: string | undefined): part is string =>
  part !== undefined && namePattern.test(part) && part !== "." && part !== "..";

/**
 * The path below `gitUrl` as segments, or undefined unless `address` lies there: same scheme, host and port,
 * below the same base path, in plain ASCII, without user info, query, fragment, dot segments, back or encoded slashes.
 */
const segmentsBelow = (gitUrl: string, address: string): string[] | undefined => {
  if (!/^https?:\/\/[!-~]+$/i.test(address) || /[\\%?#@]|:\/\/\//.test(address)) return undefined;
  if (/\/\.{1,2}(?:\/|$)/.test(address) || !URL.canParse(address)) return undefined;
  const base = new URL(gitUrl);
  const url = new URL(address);
  const basePath = base.pathname.replace(/\/$/, "");
  if (url.origin !== base.origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  return url.pathname
    .slice(basePath.length + 1)
    .replace(/\/$/, "")
    .split("/");
};

/** The repository that `address` names (with or without `.git`), or undefined if it is not one on the git host. */
export const parseRepositoryUrl = (gitUrl: string, address: string): Repository | undefined => {
  const segments = segmentsBelow(gitUrl, address);
  const [owner, name] = segments ?? [];
  const repo = name?.replace(/\.git$/, "");
  return segments?.length === 2 && isName(owner) && isName(repo) ? { owner, repo } : undefined;
};

/** The repository of a full name, `owner/name`, as the host tells it; undefined if it is none. */
export const parseFullName = (name: unknown): Repository | undefined => {
  const [owner, repo, ...rest] = typeof name === "string" ? name.split("/") : [];
  return rest.length === 0 && isName(owner) && isName(repo) ? { owner, repo } : undefined;
};

export const repositoryUrl = (gitUrl: string, { owner, repo }: Repository): string => `${gitUrl}/${owner}/${repo}`;

const kinds = { issues: "issue", pulls: "pull_request" } as const;

/** The issue or pull request that `address` names, or undefined if it is none on the git host. */
export const parseGitLink = (gitUrl: string, address: string): GitLink | undefined => {
  const segments = segmentsBelow(gitUrl, address);
  const [owner, repo, path, number] = segments ?? [];
  if (segments?.length !== 4 || !isName(owner) || !isName(repo)) return undefined;
  if ((path !== "issues" && path !== "pulls") || !/^[1-9]\d{0,9}$/.test(number ?? "")) return undefined;
  return {
    url: `${repositoryUrl(gitUrl, { owner, repo })}/${path}/${number}`,
    kind: kinds[path],
    owner,
    repo,
    number: Number(number),
  };
};
