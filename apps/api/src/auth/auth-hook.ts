// The gate: every route that is not public needs a member's bearer token.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestProblem } from "../platform/problems.ts";
import type { Caller, TokenVerifier } from "./token-verifier.ts";

const challenge = (detail: string): RequestProblem =>
  new RequestProblem("unauthenticated", detail, { headers: { "WWW-Authenticate": "Bearer" } });

const bearerToken = ({ headers, raw }: FastifyRequest): string => {
  const sent = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization").length;
  if (sent > 1) throw challenge("Send one Authorization header.");
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? "")?.[1];
  if (!token) throw challenge("Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.");
  return token;
};

/** Adds the gate and `request.caller`. Must come before the routes and before the rate limit, which counts by caller. */
export const addAuthentication = (
  app: FastifyInstance,
  {
    verifyToken,
    countFailure,
  }: { verifyToken: TokenVerifier; countFailure: (request: FastifyRequest) => Promise<void> },
): void => {
  app.decorateRequest("caller", null as unknown as Caller);
  app.addHook("onRequest", async (request) => {
    if (request.is404 || request.routeOptions.config.isPublic) return;
    try {
      request.caller = await verifyToken(bearerToken(request));
    } catch (error) {
      await countFailure(request);
      throw error;
    }
  });
};

declare module "fastify" {
  interface FastifyRequest {
    /** Who is asking; set on every route that is not public. */
    caller: Caller;
  }
}
