// The development git host (D-37): plain folders behind Gitea's API, with signed webhooks when something changes.
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { apiAnswer } from "./git-host-api.ts";
import { type Dialect, problemBody } from "./git-host-dialect.ts";
import { actOut } from "./git-host-faults.ts";
import { type HttpAnswer, jsonAnswer, plainAnswer, segmentsOf, sendAnswer } from "./git-host-http.ts";
import { pageAnswer } from "./git-host-pages.ts";
import { payloadOf } from "./git-host-payloads.ts";
import { createSwitches } from "./git-host-switches.ts";
import { type RepositoryWatch, watchRepositories } from "./git-host-watch.ts";
import { createDeliveries, type WebhookTarget } from "./git-host-webhooks.ts";
import { gitIssues } from "./git-issues.ts";
import { gitRepositories } from "./git-repository.ts";
import { listenHttp } from "./http-listener.ts";

export interface GitHostOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Holds `<owner>/<repo>/…`. Read at every request; it need not exist. */
  reposDir: string;
  readToken: string;
  /** Whose manners it has; Gitea's unless said otherwise. */
  dialect?: Dialect;
  webhook?: WebhookTarget;
  /** Hears of webhooks that were not delivered and of issue files that are faulty; the console unless given. */
  complain?: (message: string) => void;
  /** Lets tests bring about faults, below `/-/` and for everybody who reaches it. */
  switches?: boolean;
}

export interface GitHost {
  /** Without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

export const startGitHost = async (options: GitHostOptions): Promise<GitHost> => {
  const { host, port, reposDir, readToken, webhook, dialect = "gitea", complain = console.warn } = options;
  const repositories = gitRepositories(reposDir);
  const issues = gitIssues(complain);

  const watch = async (target: WebhookTarget, owner?: string): Promise<RepositoryWatch> => {
    const deliveries = createDeliveries(target, complain);
    const watching = await watchRepositories({
      folder: owner === undefined ? reposDir : join(reposDir, owner),
      list: () => repositories.list(owner),
      repositories,
      issues,
      onHappening: (happening) => {
        const now = switches?.dialectOf(happening.state.repository.owner) ?? dialect;
        const payload = payloadOf(root, now, happening);
        if (payload) deliveries.add(payload, now);
      },
    });
    return {
      stop: () => {
        watching.stop();
        deliveries.stop();
      },
    };
  };
  const switches = options.switches
    ? createSwitches({ dialect, renames: repositories.renames, watch: (owner, target) => watch(target, owner) })
    : undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "", method = "" } = request;
    // `/-/as/{owner}` before the API's path: whatever is asked there counts as asked of this owner.
    const [, base = "", as, rest = url] = (switches && /^(\/-\/as\/([^/]+))(\/.*)$/.exec(url)) ?? [];
    const [path = "", query = ""] = rest.split("?", 2);
    const segments = segmentsOf(path);
    if (segments === undefined) return sendAnswer(response, plainAnswer(400));
    if (switches && segments[0] === "-") {
      const { status, body } = await switches.answer(method, segments.slice(1), await text(request));
      return sendAnswer(response, body === undefined ? plainAnswer(status) : jsonAnswer(status, body));
    }
    if (method !== "GET") return sendAnswer(response, plainAnswer(405));
    if (segments[0] !== "api") return sendAnswer(response, await pageAnswer({ repositories, issues }, segments));

    const owner = as ?? (segments[2] === "repos" ? (segments[3] ?? "") : "");
    const speaking = switches?.dialectOf(owner) ?? dialect;
    const { authorization } = request.headers;
    const sources = { root, dialect: speaking, repositories, issues, readToken, authorization, base };
    const honest = async (): Promise<HttpAnswer> => {
      const asked = { segments: segments.slice(2), query: new URLSearchParams(query) };
      const { status, body, headers } = await apiAnswer({ ...sources, ...asked });
      return jsonAnswer(status, body, headers);
    };
    const below = rest.replace(/^\/api\/v1\//, "");
    switches?.journal.begin(owner, below, response);
    const acting = switches?.faultFor(owner, below);
    if (!acting) return sendAnswer(response, await honest());
    const refusal = (status: number): HttpAnswer =>
      jsonAnswer(status, problemBody(speaking, root, status, "as the switches say"));
    await actOut(acting.fault, { response, url, honest, refusal, lifted: acting.lifted });
  };
  const listener = await listenHttp(
    (request, response) => {
      answer(request, response).catch((error: Error) => sendAnswer(response, plainAnswer(500, error.message)));
    },
    { host, port },
  );
  const root = `http://localhost:${listener.port}`;
  const watching = webhook && (await watch(webhook));
  return {
    url: root,
    stop: async () => {
      watching?.stop();
      switches?.stop();
      await listener.stop();
    },
  };
};
