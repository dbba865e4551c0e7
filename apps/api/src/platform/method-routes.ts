// Answers 405 with `Allow` where a path exists but not for this method; HEAD is never a GET in disguise.
import type { FastifyInstance, HTTPMethods, RouteOptions } from "fastify";
import { RequestProblem } from "./problems.ts";

const allMethods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/** Watches the routes added from now on; the returned function adds the 405 answers and must be called last. */
export const collectMethods = (app: FastifyInstance): (() => void) => {
  const methods = new Map<string, Set<HTTPMethods>>();
  const collect = ({ url, method }: RouteOptions): void => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one as HTTPMethods);
    methods.set(url, known);
  };
  app.addHook("onRoute", collect);

  return () => {
    for (const [url, known] of [...methods].map(([path, set]) => [path, [...set]] as const)) {
      if (url.includes("*")) continue;
      const allow = known.join(", ");
      app.route({
        method: allMethods.filter((method) => !known.includes(method)),
        url,
        config: { isPublic: true },
        handler: async (request) => {
          throw new RequestProblem("method_not_allowed", `${request.method} is not allowed here; use ${allow}.`, {
            headers: { Allow: allow },
          });
        },
      });
    }
  };
};
