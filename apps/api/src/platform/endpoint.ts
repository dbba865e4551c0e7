// Turns an operation of the contract into a route: one definition for path, validation and answer.
import {
  type Answer,
  type Body,
  type Headers,
  type Operation,
  type Params,
  type Querystring,
  strict,
} from "@task-service/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { bindToList } from "./pagination.ts";

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

const readMissingBodyAsEmpty = async (request: FastifyRequest): Promise<void> => {
  if (request.body === undefined) request.body = {};
};

const pathOf = (url: string): string => url.split("?", 1)[0] ?? url;

/** A reference relative to the request's own address, so that it holds with and without the public prefix. */
const nextLink = (url: string, cursor: string): string => {
  const search = new URL(url, "http://api").searchParams;
  search.set("cursor", cursor);
  // A cursor says itself where its page begins.
  search.delete("from_position");
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
  const { params, querystring = strict({}), headers, body, response } = operation as Operation;
  app.route({
    ...options,
    method: operation.method,
    url: operation.path,
    config: { ...options.config, isPublic: (operation as Operation).isPublic ?? false },
    schema: {
      querystring,
      response,
      ...(params && { params }),
      ...(headers && { headers }),
      ...(body && { body }),
    },
    ...((operation as Operation).isBodyOptional && { preValidation: readMissingBodyAsEmpty }),
    handler: async (request, reply) => {
      if (status !== undefined) reply.code(status);
      bindToList(request.query as object, pathOf(request.url));
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
