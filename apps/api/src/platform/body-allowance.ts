// How much of large bodies is in memory at once, where anybody may send them.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestProblem } from "./problems.ts";

const declaredBytes = ({ headers }: FastifyRequest, mostBytes: number): number => {
  const length = Number(headers["content-length"] ?? mostBytes);
  return Number.isSafeInteger(length) && length >= 0 ? Math.min(length, mostBytes) : mostBytes;
};

/**
 * Refuses with `overloaded`, before its body is read, a request to the routes of `app` whose body would bring those under
 * way to more than `allBytes`. A body that does not say its length counts as `mostBytes`, the most that a route takes.
 */
export const addBodyAllowance = (app: FastifyInstance, mostBytes: number, allBytes: number): void => {
  let takenBytes = 0;
  app.addHook("onRequest", async (request, reply) => {
    const bytes = declaredBytes(request, mostBytes);
    if (takenBytes + bytes > allBytes) {
      throw new RequestProblem("overloaded", "Too much is being sent at the moment; try again in a moment.", {
        headers: { "Retry-After": "1", Connection: "close" },
      });
    }
    takenBytes += bytes;
    reply.raw.once("close", () => {
      takenBytes -= bytes;
    });
  });
};
