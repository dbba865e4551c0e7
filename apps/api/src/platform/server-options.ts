// How the HTTP server behaves before a route is reached: prefix, request ids, limits, and what it says to broken requests.
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ProblemCode } from "@task-service/contract";
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from "fastify";
import type { Config } from "./config.ts";
import { handleError } from "./error-handler.ts";
import type { Logger } from "./logger.ts";
import { problemDocument, RequestProblem } from "./problems.ts";

const prefix = "/api";
const outsidePrefix = /^\/api\/(?:healthz|readyz)(?:[/?]|$)/;
const maxBodyBytes = 4 * 1024 * 1024;
const maxHeaderBytes = 32 * 1024;
const maxPathParameterLength = 500;
const arrivalTimeoutMs = 15_000;
const answerTimeoutMs = 10_000;

const requestIdPattern = /^[\w.:-]{1,128}$/;

const brokenRequests: Record<string, [ProblemCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["headers_too_large", `The headers are larger than ${maxHeaderBytes / 1024} KiB.`],
};

/** Answers a request that never became one, on the bare socket. */
const answerBroken = (error: Error & { code?: string }, socket: Socket): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [code, detail] = brokenRequests[error.code ?? ""] ?? ["invalid_request", "This is not a valid HTTP request."];
  const id = randomUUID();
  const document = problemDocument(new RequestProblem(code, detail), id);
  const body = JSON.stringify(document);
  socket.end(
    `HTTP/1.1 ${document.status} ${document.title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
};

export const serverOptions = (config: Config, log: Logger): FastifyHttpOptions<Server, FastifyBaseLogger> => ({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  exposeHeadRoutes: false,
  bodyLimit: maxBodyBytes,
  requestTimeout: arrivalTimeoutMs,
  handlerTimeout: answerTimeoutMs,
  http: { maxHeaderSize: maxHeaderBytes, headersTimeout: arrivalTimeoutMs, connectionsCheckingInterval: 5000 },
  trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
  routerOptions: { maxParamLength: maxPathParameterLength },
  forceCloseConnections: "idle",
  return503OnClosing: false,
  genReqId: ({ headers }) => {
    const sent = headers["x-request-id"];
    return typeof sent === "string" && requestIdPattern.test(sent) ? sent : randomUUID();
  },
  rewriteUrl: ({ url = "/" }) =>
    url.startsWith(`${prefix}/`) && !outsidePrefix.test(url) ? url.slice(prefix.length) : url,
  frameworkErrors: (error, request, reply) => {
    reply.header("X-Request-Id", request.id);
    handleError(error, request, reply);
  },
  clientErrorHandler: answerBroken,
});
