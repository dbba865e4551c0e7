// What every answer carries, and the one log line of every request.
import type { FastifyInstance } from "fastify";

export const addRequestHooks = (app: FastifyInstance, { isDraining }: { isDraining: () => boolean }): void => {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "X-Request-Id": request.id, "X-Content-Type-Options": "nosniff" });
    if (!request.routeOptions.config.isPublic) reply.header("Cache-Control", "no-store");
    // A kept connection would hold a stopping process back until its client lets go.
    if (isDraining()) reply.header("Connection", "close");
  });

  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        // The pattern, not the address: a query may hold what somebody searched for.
        route: request.routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        sub: request.caller?.actor.sub,
      },
      "request",
    );
  });
};
