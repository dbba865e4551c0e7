// Reads the git host's API (Gitea and Forgejo alike): the only code that ever holds the read token.
import { createHash } from "node:crypto";
import type { Repository } from "./git-address.ts";

/** The git host did not give a usable answer. The message is fit for a person to read. */
export class GitHostError extends Error {
  override readonly name = "GitHostError";
}

export interface DirectoryEntry {
  name: string;
  type: string;
  sha: string;
  size: number;
}

export interface GitHost {
  /** The head commit of the default branch, `empty` for a repository without commits, `missing` if there is none we may see. */
  headCommit(repository: Repository): Promise<{ commit: string } | "empty" | "missing">;
  /** The entries of a folder at a commit; none if the folder is not there. */
  listDirectory(repository: Repository, path: string, commit: string): Promise<DirectoryEntry[]>;
  /** The exact bytes of a file at a commit, checked against the size and blob id the host itself gives. */
  readFile(repository: Repository, path: string, commit: string): Promise<Buffer>;
}

export interface GitHostOptions {
  apiUrl: string;
  readToken: string;
  timeoutMs?: number;
}

const maxRedirects = 3;
const maxAnswerBytes = 16 * 1024 * 1024;
const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The id git gives a file of this content; 64 digits long in SHA-256 repositories. */
export const blobId = (content: Buffer, digits = 40): string =>
  createHash(digits === 64 ? "sha256" : "sha1")
    .update(`blob ${content.byteLength}\0`)
    .update(content)
    .digest("hex");

const readBody = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw new GitHostError("The git host's answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const meaning: Record<number, string> = {
  401: "The git host refuses the service's read token (401).",
  403: "The service's read token may not read this repository (403).",
  404: "The git host answered that this does not exist (404).",
  429: "The git host asks for fewer requests (429).",
};

export const createGitHost = ({ apiUrl, readToken, timeoutMs = 10_000 }: GitHostOptions): GitHost => {
  const base = new URL(`${apiUrl}/`);

  // Redirects (a renamed repository) are followed by hand: the token must not leave the git host.
  const fetchBelowBase = async (url: URL, signal: AbortSignal, redirects = 0): Promise<Response> => {
    const response = await fetch(url, {
      headers: { authorization: `token ${readToken}`, accept: "application/json" },
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (target?.origin !== base.origin || !target.pathname.startsWith(base.pathname)) {
      throw new GitHostError("The git host redirects to another place; the service does not follow.");
    }
    if (redirects === maxRedirects) throw new GitHostError("The git host redirects too often.");
    return fetchBelowBase(target, signal, redirects + 1);
  };

  const get = async (path: string): Promise<{ status: number; body: string }> => {
    try {
      const response = await fetchBelowBase(new URL(path, base), AbortSignal.timeout(timeoutMs));
      return { status: response.status, body: await readBody(response) };
    } catch (error) {
      if (error instanceof GitHostError) throw error;
      const isTimeout = (error as Error).name === "TimeoutError";
      throw new GitHostError(
        isTimeout ? `The git host did not answer within ${timeoutMs / 1000} s.` : "The git host cannot be reached.",
      );
    }
  };

  const parse = ({ status, body }: { status: number; body: string }): unknown => {
    if (status !== 200) throw new GitHostError(meaning[status] ?? `The git host answered ${status}.`);
    try {
      return JSON.parse(body);
    } catch {
      throw new GitHostError("The git host's answer is cut off or not JSON.");
    }
  };

  const pathOf = ({ owner, repo }: Repository, rest = ""): string =>
    `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${rest}`;
  const contents = (repository: Repository, path: string, commit: string): string =>
    pathOf(repository, `/contents/${path.split("/").map(encodeURIComponent).join("/")}?ref=${commit}`);

  return {
    headCommit: async (repository) => {
      const answer = await get(pathOf(repository, "/commits?limit=1&stat=false&files=false&verification=false"));
      if (answer.status === 409) return "empty";
      if (answer.status === 404) {
        // Missing, or hidden from us; with a bad token everything would be refused instead.
        parse(await get("version"));
        return "missing";
      }
      const commits = parse(answer);
      const [head] = Array.isArray(commits) ? commits : [];
      if (Array.isArray(commits) && head === undefined) return "empty";
      if (!isRecord(head) || typeof head.sha !== "string" || !commitPattern.test(head.sha)) {
        throw new GitHostError("The git host's answer names no commit.");
      }
      return { commit: head.sha };
    },

    listDirectory: async (repository, path, commit) => {
      const answer = await get(contents(repository, path, commit));
      if (answer.status === 404) {
        // The folder is not there; or the repository is gone or hidden by now, which says nothing of its personas.
        parse(await get(pathOf(repository)));
        return [];
      }
      const entries = parse(answer) ?? [];
      const isEntry = (one: unknown): one is DirectoryEntry =>
        isRecord(one) &&
        [one.name, one.type, one.sha].every((field) => typeof field === "string") &&
        typeof one.size === "number";
      if (!Array.isArray(entries) || !entries.every(isEntry)) {
        throw new GitHostError(`The git host's answer for ${path} is not a folder's listing.`);
      }
      return entries;
    },

    readFile: async (repository, path, commit) => {
      const file = parse(await get(contents(repository, path, commit)));
      if (!isRecord(file) || file.type !== "file" || file.encoding !== "base64" || typeof file.content !== "string") {
        throw new GitHostError(`The git host's answer for ${path} is not a file's content.`);
      }
      const content = Buffer.from(file.content, "base64");
      const isWhole = content.byteLength === file.size && blobId(content, String(file.sha).length) === file.sha;
      if (!isWhole) throw new GitHostError(`The git host's answer for ${path} is not the whole file.`);
      return content;
    },
  };
};
