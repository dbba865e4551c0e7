// Large bodies that arrive together: refused before they are read, once there are too many.
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addBodyAllowance } from "./body-allowance.ts";
import { addErrorHandling } from "./error-handler.ts";

const app = fastify();
let port: number;
beforeAll(async () => {
  addErrorHandling(app);
  addBodyAllowance(app, 1000, 2500);
  app.post("/", async () => "taken");
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Sends headers, and the body when told to. */
const open = (bytes: number | undefined) => {
  const { promise: status, resolve } = Promise.withResolvers<number>();
  const headers = { "content-type": "text/plain", ...(bytes !== undefined && { "content-length": String(bytes) }) };
  const sent = request({ port, method: "POST", headers, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on("error", () => resolve(0));
  sent.flushHeaders();
  return { status, end: () => sent.end("x".repeat(bytes ?? 10)), abort: () => sent.destroy() };
};
const sockets = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

test("what fits is taken, what does not is 503 before its body is sent, and room is given back", async () => {
  const [first, second] = [open(1000), open(undefined)];
  await vi.waitFor(async () => expect(await sockets()).toBe(2), { timeout: 5000 });
  expect(await open(501).status).toBe(503);
  const third = open(500);
  third.end();
  expect(await third.status).toBe(200);
  first.end();
  expect(await first.status).toBe(200);
  const fourth = open(1000);
  fourth.end();
  expect(await fourth.status).toBe(200);
  second.abort();
  await vi.waitFor(async () => expect(await sockets()).toBe(0), { timeout: 5000 });
  const all = [open(1000), open(1000), open(500)];
  for (const one of all) one.end();
  expect(await Promise.all(all.map(({ status }) => status))).toEqual([200, 200, 200]);
});
