// The one public door (specification 6): `/api/*` to the API, everything else to the UI, nothing kept, nothing repeated.
import { randomUUID } from "node:crypto";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { type Problem, type ProblemCode, problemCodes } from "@task-service/contract";
import { type HttpListener, listenHttp } from "./http-listener.ts";

export interface EntryPointOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Origins, without a path. */
  apiUrl: string;
  uiUrl: string;
}

/**
 * Ends the upstream request when its client goes: a parked claim must not take a task for nobody (D-26).
 * Paths go through unchanged. An upstream that cannot be reached is 503 `overloaded`; it is asked once.
 */
export const startEntryPoint = async ({ host, port, apiUrl, uiUrl }: EntryPointOptions): Promise<HttpListener> => {
  const agent = new Agent({ keepAlive: true });
  const listener = await listenHttp(
    (incoming, response) => {
      const path = incoming.url ?? "/";
      // Numbers for operators stay inside (D-35).
      if (/^(?:\/api)?\/metrics(?:[/?]|$)/.test(path)) answerProblem(response, "not_found", "There is nothing here.");
      else forward(incoming, response, { agent, path, origin: /^\/api(?:[/?]|$)/.test(path) ? apiUrl : uiUrl });
    },
    { host, port },
  );
  return {
    port: listener.port,
    stop: async () => {
      await listener.stop();
      agent.destroy();
    },
  };
};

const forward = (
  incoming: IncomingMessage,
  response: ServerResponse,
  { agent, path, origin }: { agent: Agent; path: string; origin: string },
): void => {
  const { hostname, port } = new URL(origin);
  const { method } = incoming;
  const upstream = request({ agent, hostname, port, method, path, headers: requestHeaders(incoming) }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.headers));
    // An event stream's client waits for the head long before the first event.
    response.flushHeaders();
    pipeline(answer, response, () => undefined);
  });
  upstream.on("error", () => {
    if (response.headersSent || response.destroyed) return;
    answerProblem(response, "overloaded", "This part of the service is not up. Try again in a moment.");
    incoming.resume();
  });
  response.on("close", () => {
    if (!response.writableFinished) upstream.destroy();
  });
  incoming.pipe(upstream);
};

const requestHeaders = ({ headers, socket }: IncomingMessage): IncomingHttpHeaders => ({
  ...endToEnd(headers),
  // Framing of each hop's own; without it Node sends no body for methods that seldom have one.
  ...(headers["transfer-encoding"] && { "transfer-encoding": "chunked" }),
  "x-forwarded-for": socket.remoteAddress ?? "",
  "x-forwarded-host": headers.host ?? "",
  "x-forwarded-proto": "http",
});

const hopByHop = new Set(
  "connection expect keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade".split(" "),
);

/** Without the headers that speak of one connection only (RFC 9110, section 7.6.1). */
const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const named = new Set(headers.connection?.toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)));
};

const answerProblem = (response: ServerResponse, code: ProblemCode, detail: string): void => {
  const { status, title } = problemCodes[code];
  const problem: Problem = { type: "about:blank", title, status, detail, code, request_id: randomUUID() };
  response
    .writeHead(status, {
      "content-type": "application/problem+json",
      "x-request-id": problem.request_id,
      ...(status === 503 && { "retry-after": "1" }),
    })
    .end(JSON.stringify(problem));
};
