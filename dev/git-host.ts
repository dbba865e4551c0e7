// The development git host (D-37): plain folders behind Gitea's API, with signed webhooks when a file changes.
import type { IncomingMessage, ServerResponse } from "node:http";
import { apiAnswer } from "./git-host-api.ts";
import { pageAnswer } from "./git-host-pages.ts";
import { watchRepositories } from "./git-host-watch.ts";
import { deliverPush, type WebhookTarget } from "./git-host-webhooks.ts";
import { gitRepositories } from "./git-repository.ts";
import { listenHttp } from "./http-listener.ts";

export interface GitHostOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Holds `<owner>/<repo>/…`. Read at every request; it need not exist. */
  reposDir: string;
  readToken: string;
  webhook?: WebhookTarget;
  onDeliveryFailed?: (reason: string) => void;
}

export interface GitHost {
  /** Without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

export const startGitHost = async (options: GitHostOptions): Promise<GitHost> => {
  const { host, port, reposDir, readToken, webhook, onDeliveryFailed = console.warn } = options;
  const repositories = gitRepositories(reposDir);
  const stopped = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = "", query] = (request.url ?? "").split("?", 2);
    const segments = segmentsOf(path);
    if (request.method !== "GET") return send(response, 405, "text/plain", "");
    if (segments === undefined) return send(response, 400, "text/plain", "");
    if (segments[0] !== "api") {
      const { status, html } = await pageAnswer(repositories, segments);
      return send(response, status, "text/html; charset=utf-8", html);
    }
    const { authorization } = request.headers;
    const ref = new URLSearchParams(query).get("ref") || undefined;
    const api = { root, repositories, readToken, authorization, segments: segments.slice(2), ref };
    const { status, body, headers } = await apiAnswer(api);
    send(response, status, "application/json;charset=utf-8", `${JSON.stringify(body)}\n`, headers);
  };
  const listener = await listenHttp(
    (request, response) => {
      answer(request, response).catch((error: Error) => send(response, 500, "text/plain", error.message));
    },
    { host, port },
  );
  const root = `http://localhost:${listener.port}`;

  const watch =
    webhook &&
    (await watchRepositories(reposDir, repositories, (push) => {
      deliverPush(root, push, webhook, stopped.signal).catch((error: Error) => {
        if (!stopped.signal.aborted) onDeliveryFailed(`git host: webhook not delivered: ${error.message}`);
      });
    }));
  return {
    url: root,
    stop: async () => {
      stopped.abort();
      watch?.stop();
      await listener.stop();
    },
  };
};

const send = (response: ServerResponse, status: number, type: string, body: string, headers = {}): void => {
  const caching = { "Cache-Control": "max-age=0, private, must-revalidate" };
  response.writeHead(status, { "Content-Type": type, ...caching, ...headers }).end(body);
};

/** Decoded parts; a trailing slash means nothing, an encoded one divides. Undefined for a malformed path. */
const segmentsOf = (path: string): string[] | undefined => {
  try {
    return decodeURIComponent(path).split("/").filter(Boolean);
  } catch {
    return undefined;
  }
};
