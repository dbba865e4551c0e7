// Streams whose reader went, or was answered 503, before they began (D-28): behind others' replays, or while one opened.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readStream } from "../../test/event-reader.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { addErrorHandling } from "../platform/error-handler.ts";
import { addValidation } from "../platform/validation.ts";
import { addEventRoutes } from "./event-routes.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** The route on a server of its own; the first stream waits at `stage` until it is released. */
const startServer = async (stage: "inquiry" | "opening", handlerTimeout: number) => {
  const waits = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<ServerResponse>();
  let isFirst = true;
  const wait = async (at: typeof stage): Promise<void> => {
    if (at !== stage || !isFirst) return;
    isFirst = false;
    waits.resolve();
    await held.promise;
  };
  const open: typeof app.feed.open = async (listener) => {
    await app.feed.open(listener);
    await wait("opening");
  };
  const findOrganizationIds = async () => {
    await wait("inquiry");
    return ["0190f3a4-0000-7000-8000-000000000001"];
  };
  const server = fastify({ handlerTimeout, forceCloseConnections: true });
  server.addHook("onRequest", async (request, reply) => {
    request.caller = { actor: { sub: "a", name: "a" }, expiresAt: Date.now() / 1000 + 60 };
    arrived.resolve(reply.raw);
  });
  addErrorHandling(server);
  addValidation(server);
  const feed = { ...app.feed, open };
  const deps = { sql: app.database.reads, feed, retentionDays: 365, isDraining: () => false, findOrganizationIds };
  addEventRoutes(server, deps);
  const baseUrl = await server.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return { baseUrl, waits: waits.promise, release: held.resolve, response: arrived.promise };
};

test.each(["inquiry", "opening"] as const)("a reader that goes during the %s leaves nothing open", async (stage) => {
  const { baseUrl, waits, release, response } = await startServer(stage, 60_000);
  const reader = new AbortController();
  const asked = fetch(`${baseUrl}/events?organization=acme`, { signal: reader.signal }).catch(() => "gone");
  await waits;
  const isOver = once(await response, "close");
  reader.abort();
  expect(await asked).toBe("gone");
  await isOver;
  release();
  const next = await readStream(app);
  expect(app.feed.openStreams()).toBe(1);
  next.close();
  await expect.poll(app.feed.openStreams).toBe(0);
});

test.each(["inquiry", "opening"] as const)(
  "an %s that takes too long is answered, and leaves nothing open",
  async (stage) => {
    const { baseUrl, waits, release } = await startServer(stage, 300);
    const asked = fetch(`${baseUrl}/events?organization=acme`);
    await waits;
    const answer = await asked;
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "overloaded" }]);
    release();
    const next = await readStream(app);
    expect(app.feed.openStreams()).toBe(1);
    next.close();
    await expect.poll(app.feed.openStreams).toBe(0);
  },
);

test("a stream that cannot be written leaves nothing open", async () => {
  const { baseUrl, waits, release, response } = await startServer("opening", 60_000);
  const asked = fetch(`${baseUrl}/events?organization=acme`);
  await waits;
  const raw = await response;
  raw.writeHead = () => {
    throw new Error("no");
  };
  release();
  await expect.poll(app.feed.openStreams).toBe(0);
  raw.destroy();
  await expect(asked).rejects.toThrow();
});
