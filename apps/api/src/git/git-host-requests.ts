// Asks the git host's API (Gitea and Forgejo alike): the only code that ever holds the read token (D-30).
import { createConcurrencyLimit } from "../platform/concurrency-limit.ts";
import type { Repository } from "./git-address.ts";

/** The git host did not give a usable answer. The message is fit for a person to read. */
export class GitHostError extends Error {
  override readonly name = "GitHostError";
}

export interface GitHostAnswer {
  status: number;
  headers: Headers;
  body: string;
}

export interface GitHostRequests {
  /**
   * What the host answers at a path below its API, whatever the status. At most 16 requests are under way at once, the
   * rest wait in order. Rejects with {@link GitHostError} if no whole answer comes within the time, 10 s unless
   * set otherwise, that begins when the request is sent.
   */
  get(path: string): Promise<GitHostAnswer>;
}

export interface GitHostOptions {
  apiUrl: string;
  readToken: string;
  timeoutMs?: number;
  /** Of an answer's body; 16 MiB unless set otherwise. */
  maxAnswerBytes?: number;
}

const requestsAtOnce = 16;
const maxRedirects = 3;
const usualMaxAnswerBytes = 16 * 1024 * 1024;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readBody = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new GitHostError("The git host's answer is too large.");
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

/** The JSON of a 200. Throws {@link GitHostError} for any other status and for what is not JSON. */
export const readJson = ({ status, body }: GitHostAnswer): unknown => {
  if (status !== 200) throw new GitHostError(meaning[status] ?? `The git host answered ${status}.`);
  try {
    return JSON.parse(body);
  } catch {
    throw new GitHostError("The git host's answer is cut off or not JSON.");
  }
};

/** The path of a repository below the API; `rest` begins with a slash. */
export const repositoryPath = ({ owner, repo }: Repository, rest = ""): string =>
  `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${rest}`;

export const createGitHostRequests = ({
  apiUrl,
  readToken,
  timeoutMs = 10_000,
  maxAnswerBytes = usualMaxAnswerBytes,
}: GitHostOptions): GitHostRequests => {
  const base = new URL(`${apiUrl}/`);
  const limited = createConcurrencyLimit(requestsAtOnce);

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

  const ask = async (path: string): Promise<GitHostAnswer> => {
    try {
      const response = await fetchBelowBase(new URL(path, base), AbortSignal.timeout(timeoutMs));
      return { status: response.status, headers: response.headers, body: await readBody(response, maxAnswerBytes) };
    } catch (error) {
      if (error instanceof GitHostError) throw error;
      const isTimeout = (error as Error).name === "TimeoutError";
      throw new GitHostError(
        isTimeout ? `The git host did not answer within ${timeoutMs / 1000} s.` : "The git host cannot be reached.",
      );
    }
  };

  return { get: (path) => limited(() => ask(path)) };
};
