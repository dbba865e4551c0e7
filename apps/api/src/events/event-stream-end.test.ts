// How streams of events live and end (D-28, D-35): heartbeats, expired tokens, draining, readers that are too slow, an outage.
import { request } from "node:http";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { readStream } from "../../test/event-reader.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../test/test-app.ts";
import { nowSeconds, startTokenIssuer } from "../../test/token-issuer.ts";
import { createLogger } from "../platform/logger.ts";
import { appendEvent, serviceActor } from "./event-queries.ts";

const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await startTestApp(options);
  onTestFinished(() => app.close());
  return app;
};
afterEach(() => vi.restoreAllMocks());

const happen = (app: TestApp, text = "") =>
  appendEvent(app.sql, { type: "agents.synced", organization_id: null, actor: serviceActor, data: { text } });

test("a comment shows again and again that it lives, to whoever waits for nothing", async () => {
  const app = await open({ feed: { heartbeatMs: 20 } });
  const reader = await readStream(app, { query: "?type=task.deleted" });
  const comments = () => reader.frames.filter(({ comment }) => comment !== undefined);
  await vi.waitFor(() => expect(comments().length).toBeGreaterThan(3), { timeout: 5000 });
  expect(reader.events()).toEqual([]);
});

test("it ends when the token expires, and goes on with a new one", async () => {
  const provider = await startTokenIssuer();
  onTestFinished(() => provider.close());
  const app = await open({ env: { OIDC_ISSUER: provider.issuer } });
  const expiresAt = nowSeconds() + 2;
  const reader = await readStream(app, { token: await provider.sign({ exp: expiresAt }) });
  await happen(app);
  await reader.until(1);
  await reader.ended;
  expect(Math.abs(Date.now() - expiresAt * 1000)).toBeLessThan(1000);
  expect(reader.response.complete).toBe(true);
  await happen(app);
  const again = await readStream(app, { token: await provider.sign(), query: `?after=${reader.lastId()}` });
  expect(await again.until(1)).toHaveLength(1);
});

test("a draining process ends its streams at once, takes no others, and closes", async () => {
  let isDraining = false;
  const app = await startTestApp({ isDraining: () => isDraining });
  const reader = await readStream(app);
  isDraining = true;
  app.feed.drain();
  await reader.ended;
  expect(reader.response.complete).toBe(true);
  const headers = { authorization: `Bearer ${app.token}` };
  expect(await app.problem("/events", { headers })).toMatchObject({ code: "overloaded" });
  // Would never resolve while a connection is held.
  await app.close();
});

test("a reader that does not read is cut off, hinders nobody, and gets the rest when it comes again", async () => {
  const app = await open();
  const quick = await readStream(app);
  const slow = request(`${app.baseUrl}/events`, {
    agent: false,
    headers: { authorization: `Bearer ${app.token}` },
  }).end();
  const response = await new Promise<NodeJS.ReadableStream>((resolve) => slow.on("response", resolve));
  const count = 40;
  for (let n = 0; n < count; n++) await happen(app, "x".repeat(400_000));
  await quick.until(count);
  // It has so much in store that it is cut off here.
  await happen(app);
  const events = await quick.until(count + 1);

  let text = "";
  response.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  await new Promise((resolve) => response.on("error", resolve).on("close", resolve));
  const whole = text.slice(0, text.lastIndexOf("\n\n"));
  const got = whole.match(/^id: \d+\nevent/gm)?.length ?? 0;
  expect(got).toBeLessThan(count);
  const lastId = [...whole.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
  const again = await readStream(app, { headers: { "last-event-id": lastId } });
  expect(await again.until(count + 1 - got)).toEqual(events.slice(got));
});

test("a reader that goes leaves nothing behind: with the last one the feed rests", async () => {
  const app = await open();
  const readers = [await readStream(app), await readStream(app)];
  await happen(app);
  for (const reader of readers) await reader.until(1);
  for (const reader of readers) reader.close();
  await vi.waitFor(() => expect(app.feed.position()).toBe("0".repeat(16)), { timeout: 5000 });
  await happen(app);
  const reader = await readStream(app, { headers: { "last-event-id": readers[0]?.lastId() ?? "" } });
  expect(await reader.until(1)).toHaveLength(1);
});

test("an outage of the database ends no stream, and nothing is lost over it", async () => {
  const log = createLogger("silent");
  const warn = vi.spyOn(log, "warn");
  const app = await open({ feed: { log } });
  const reader = await readStream(app);
  await happen(app);
  await reader.until(1);
  await app.sql`alter sequence event_ids rename to out_of_reach`;
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2), { timeout: 5000 });
  await happen(app);
  await app.sql`alter sequence out_of_reach rename to event_ids`;
  await happen(app);
  expect(await reader.until(3)).toHaveLength(3);
});

test("streams end when the history is another one, as after a restored backup, and who resumes is told so", async () => {
  const app = await open();
  const reader = await readStream(app);
  for (let n = 0; n < 3; n++) await happen(app);
  await reader.until(3);
  await app.sql`delete from events where id > 1`;
  await app.sql`select setval('event_ids', 1)`;
  await reader.ended;
  const again = await readStream(app, { query: `?after=${reader.lastId()}` });
  expect(again.frames[0]).toMatchObject({ event: "reset", id: "0000000000000001" });
  await happen(app);
  expect(await again.until(1)).toHaveLength(1);
});

test("who asks for a stream while the database is away is told so", async () => {
  const app = await open();
  const away = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
  vi.spyOn(app.feed, "open").mockRejectedValueOnce(away);
  const headers = { authorization: `Bearer ${app.token}` };
  expect(await app.problem("/events", { headers })).toMatchObject({ code: "database_unavailable" });
});
