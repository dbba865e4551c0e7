// How much one caller may ask (D-05): a bucket per subject, a larger one for what executors repeat, one per address for failed sign-ins.
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestProblem } from "../platform/problems.ts";

const timeWindow = 60_000;
const failuresPerMinute = 600;
const executorFactor = 10;

const tooMany = (seconds: number): RequestProblem =>
  new RequestProblem("rate_limited", `Too many requests; try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });

const isOfExecutors = (request: FastifyRequest): boolean => request.routeOptions.config.isOfExecutors ?? false;

/** Counts a refused token against its address; from the 601st in a minute on it throws `rate_limited`. */
export type FailureCounter = (request: FastifyRequest) => Promise<void>;

export const addFailureLimit = async (app: FastifyInstance): Promise<FailureCounter> => {
  await app.register(rateLimit, { global: false });
  const count = app.createRateLimit({ max: failuresPerMinute, timeWindow, keyGenerator: ({ ip }) => ip });
  return async (request) => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttlInSeconds);
  };
};

/** Adds the limit of `perMinute` requests a subject, ten times that on routes of executors. 0 adds none. */
export const addRateLimit = (app: FastifyInstance, perMinute: number): void => {
  if (perMinute === 0) return;
  const limit = app.createRateLimit({
    timeWindow,
    max: (request) => (isOfExecutors(request) ? perMinute * executorFactor : perMinute),
    keyGenerator: (request) => `${isOfExecutors(request) ? "executor" : "caller"} ${request.caller.actor.sub}`,
  });
  app.addHook("onRequest", async (request, reply) => {
    if (!request.caller) return;
    const result = await limit(request);
    if (result.isAllowed) return;
    reply.headers({
      "RateLimit-Limit": result.max,
      "RateLimit-Remaining": result.remaining,
      "RateLimit-Reset": result.ttlInSeconds,
    });
    if (result.isExceeded) throw tooMany(result.ttlInSeconds);
  });
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** Repeated by every executor all day: counted in a bucket of its own. */
    isOfExecutors?: boolean;
  }
}
