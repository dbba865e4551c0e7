// Turns an operation of the contract into a route: one definition for path, validation, answer and document.
import {
  type Answer,
  type Body,
  type Headers,
  type Operation,
  type Params,
  Problem,
  type ProblemCode,
  problemCodes,
  type Querystring,
  strict,
} from "@task-service/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";

export interface RequestParts<O extends Operation> {
  Params: Params<O>;
  Querystring: Querystring<O>;
  Headers: Headers<O>;
  Body: Body<O>;
}

export type Handler<O extends Operation> = (
  request: FastifyRequest<RequestParts<O>>,
  reply: FastifyReply,
) => Promise<Answer<O>>;

const commonProblems: readonly ProblemCode[] = [
  "invalid_request",
  "rate_limited",
  "internal_error",
  "database_unavailable",
  "overloaded",
];
const gateProblems: readonly ProblemCode[] = ["unauthenticated", "not_a_member", "identity_provider_unavailable"];
const bodyProblems: readonly ProblemCode[] = ["payload_too_large", "unsupported_media_type"];

const codesOf = (operation: Operation): ProblemCode[] =>
  operation.tag === "Health"
    ? [...(operation.problems ?? [])]
    : [
        ...commonProblems,
        ...(operation.isPublic ? [] : gateProblems),
        ...(operation.body ? bodyProblems : []),
        ...(operation.problems ?? []),
      ];

const problemAnswers = (operation: Operation): Record<number, object> => {
  const codes = codesOf(operation);
  return Object.fromEntries(
    Map.groupBy(codes, (code) => problemCodes[code].status)
      .entries()
      .map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `\`${code}\`: ${problemCodes[code].title}`).join("; "),
          content: { "application/problem+json": { schema: { $ref: `${Problem.$id}#` } } },
        },
      ]),
  );
};

const readMissingBodyAsEmpty = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {};
};

/** A reference relative to the request's own address, so that it holds with and without the public prefix. */
const nextLink = (url: string, cursor: string): string => {
  const search = new URL(url, "http://api").searchParams;
  search.set("cursor", cursor);
  return `<?${search}>; rel="next"`;
};

/**
 * Adds the route of `operation`. `handle` returns the answer's body; the status is the operation's
 * only one unless `handle` sets another, and 204 when it returns null.
 */
export const endpoint = <O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handle: Handler<O>,
  options: RouteShorthandOptions = {},
): void => {
  const [status] = Object.keys(operation.response).map(Number);
  const { tag, summary, description, params, querystring = strict({}), headers, body } = operation as Operation;
  app.route({
    ...options,
    method: operation.method,
    url: operation.path,
    config: { ...options.config, isPublic: (operation as Operation).isPublic ?? false },
    schema: {
      ...(tag === "Health" && { hide: true }),
      tags: [tag],
      summary,
      ...(description && { description }),
      ...(params && { params }),
      querystring,
      ...(headers && { headers }),
      ...(body && { body }),
      response: { ...operation.response, ...problemAnswers(operation) },
      ...(operation.isPublic && { security: [] }),
    },
    ...((operation as Operation).isBodyOptional && { preValidation: readMissingBodyAsEmpty }),
    handler: async (request, reply) => {
      if (status !== undefined) reply.code(status);
      const answer = await handle(request as unknown as FastifyRequest<RequestParts<O>>, reply);
      const { next_cursor: cursor } = (answer ?? {}) as { next_cursor?: string | null };
      if (cursor) reply.header("Link", nextLink(request.url, cursor));
      return answer === null ? reply.code(204).send() : answer;
    },
  });
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** Reached without a token. */
    isPublic?: boolean;
  }
}
