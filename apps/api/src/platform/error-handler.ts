// The one place where an error becomes an answer: a problem document, never a stack, an SQL text or a secret.
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problemDocument, RequestProblem } from "./problems.ts";
import { validationProblem } from "./validation.ts";

const retryLater = { headers: { "Retry-After": "1" } };

const fastifyProblems: Record<string, (error: FastifyError) => RequestProblem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new RequestProblem("unsupported_media_type", "Send JSON with the header `Content-Type: application/json`."),
  FST_ERR_CTP_EMPTY_TYPE: () =>
    new RequestProblem("unsupported_media_type", "Send JSON with the header `Content-Type: application/json`."),
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new RequestProblem("payload_too_large", "The body is larger than this route takes."),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new RequestProblem("invalid_request", "The body is empty; JSON is expected."),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new RequestProblem("invalid_request", "The body is not valid JSON."),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new RequestProblem("invalid_request", "The body is not as long as Content-Length says."),
  FST_ERR_MAX_PARAM_LENGTH: () => new RequestProblem("uri_too_long", "The path is too long."),
  FST_ERR_BAD_URL: () => new RequestProblem("invalid_request", "The path is not a valid URL path."),
  FST_ERR_HANDLER_TIMEOUT: () =>
    new RequestProblem("overloaded", "The answer took too long; try again in a moment.", retryLater),
};

// The server is starting, stopping, out of reach, out of connections, out of time or read-only.
const databaseGone =
  /^(?:CONNECTION_|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|57P0[1-5]|57014|55P03|53\d{3}|08\w{3}|25006|40001|40P01)/;
// A table, column, function, type or constraint is missing: this process listens before it has migrated, and goes on for
// a while after a newer one has.
const schemaDiffers = new Set(["42P01", "42703", "42883", "42704", "42P10"]);
// Text that PostgreSQL cannot store or read as the type it is for.
const unusableText = new Set(["22021", "22P02", "22P05", "22003", "22007", "22008"]);

const problemOf = (error: FastifyError): RequestProblem | undefined => {
  if (error instanceof RequestProblem) return error;
  if (error.validation) return validationProblem(error);
  const known = fastifyProblems[error.code];
  if (known) return known(error);
  if (schemaDiffers.has(error.code)) {
    return new RequestProblem("database_unavailable", "The database is being upgraded; try again soon.", retryLater);
  }
  if (databaseGone.test(error.code ?? "")) {
    return new RequestProblem(
      "database_unavailable",
      "The database cannot be reached; try again in a moment.",
      retryLater,
    );
  }
  if (error.name === "PostgresError" && unusableText.has(error.code)) {
    return new RequestProblem("invalid_request", "The request holds a value that cannot be stored.");
  }
  if (error.statusCode === 400) return new RequestProblem("invalid_request", "The request cannot be read.");
  return undefined;
};

/** Writes `problem` as the answer. Usable before routing, when only the raw reply is there. */
export const sendProblem = (reply: FastifyReply, problem: RequestProblem): FastifyReply => {
  const document = problemDocument(problem, reply.request.id);
  return (
    reply
      .code(document.status)
      .headers({ "Cache-Control": "no-store", ...problem.headers })
      .type("application/problem+json")
      // As bytes: Fastify adds a charset to text, and this media type has none (RFC 9457).
      .send(Buffer.from(JSON.stringify(document)))
  );
};

/** What is told of an error. What nobody expected is logged, and told without its message. */
export const problemFor = (thrown: unknown, log: FastifyBaseLogger): RequestProblem => {
  const error = thrown as FastifyError;
  const problem = problemOf(error);
  if (!problem) {
    log.error({ err: error }, "unexpected error");
    return new RequestProblem("internal_error", "Something went wrong here; it has been logged.");
  }
  if (schemaDiffers.has(error.code)) {
    log.error({ err: error }, "the database has not the schema of this version");
  } else if (problem !== error && problem.code === "database_unavailable") {
    log.warn({ code: error.code }, "database unavailable");
  }
  return problem;
};

export const handleError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendProblem(reply, problemFor(error, request.log));

/** Answers unknown paths and errors with problem documents. */
export const addErrorHandling = (app: FastifyInstance): void => {
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(reply, new RequestProblem("not_found", `Nothing answers ${request.method} on this path.`)),
  );
};
