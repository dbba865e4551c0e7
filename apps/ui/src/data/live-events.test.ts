// The live connection: tells what happens, comes back by itself, rests when unseen, and ends with the session.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SignedOutError } from "../lib/signed-out-error.ts";
import { createFakeEventService, type FakeConnection, frame } from "../testing/fake-event-service.ts";
import { createLiveEvents } from "./live-events.ts";
import type { News } from "./live-news.ts";

const setUp = (token: () => Promise<string> = async () => "a token") => {
  const { connections, service, fetch } = createFakeEventService();
  const live = createLiveEvents({
    sharing: null,
    baseUrl: "https://tasks.example/api",
    token,
    fetch,
  });
  const heard: News[] = [];
  const leave = live.follow((news) => heard.push(...news), "alice");
  leaving.push(leave);
  const ids = () => heard.map((news) => (typeof news === "string" ? news : news.id));
  return { live, connections, service, ids, leave };
};

const leaving: (() => void)[] = [];
const setHidden = (hidden: boolean) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Time passes, and the service shows that it is there. */
const passAlive = async (ms: number, connection: FakeConnection | undefined) => {
  for (let passed = 0; passed < ms; passed += 10_000) {
    await pass(10_000);
    if (connection?.isOpen()) connection.say(": alive\n\n");
  }
};

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  for (const leave of leaving.splice(0)) leave();
  setHidden(false);
  await pass(0);
  vi.useRealTimers();
});

test("tells what happens, and first that anything may have happened before", async () => {
  const { live, connections, ids } = setUp();
  expect(live.isUp()).toBe(false);
  await pass(0);
  expect(live.isUp()).toBe(true);
  connections[0]?.say("id: 6\n\n");
  connections[0]?.say(frame("7"));
  await pass(200);
  connections[0]?.say("id: 9\nevent: reset\ndata: {}\n\n");
  await pass(200);
  expect(ids()).toEqual(["anything", "7", "anything"]);
  expect(connections[0]?.headers).toMatchObject({ authorization: "Bearer a token" });
});

test("a lost connection goes on where it was, with the token of that moment", async () => {
  const tokens = ["token 1", "token 2"];
  const { live, connections, ids } = setUp(async () => tokens.shift() ?? "");
  const changes: boolean[] = [];
  live.subscribe(() => changes.push(live.isUp()));
  await pass(0);
  connections[0]?.say(frame("7"));
  await pass(0);
  connections[0]?.end();
  await pass(1_000);
  connections[1]?.say(frame("8"));
  await pass(0);
  expect(connections[1]?.headers).toMatchObject({ authorization: "Bearer token 2", "last-event-id": "7" });
  expect(ids()).toEqual(["anything", "7", "8"]);
  expect(changes).toEqual([true, false, true]);
});

test("while the service is away it is asked ever less often, and everything is asked for once the break lasts", async () => {
  const { live, connections, service, ids } = setUp();
  await pass(0);
  service.status = 503;
  connections[0]?.end();
  await pass(50_000);
  expect(live.isUp()).toBe(false);
  expect(ids()).toEqual(["anything", "anything"]);
  expect(service.asked).toBeLessThan(12);
  service.status = 200;
  await pass(60_000);
  expect(live.isUp()).toBe(true);
});

test("what was missed for more than a minute is read anew, not told", async () => {
  const { connections, ids } = setUp();
  await pass(0);
  connections[0]?.say(frame("7"));
  await passAlive(70_000, connections[0]);
  connections[0]?.end();
  await pass(1_100);
  expect(connections[1]?.headers).not.toHaveProperty("last-event-id");
  expect(ids()).toEqual(["anything", "7", "anything"]);
});

test("a page that nobody looks at for a minute gives its connection back, and takes one again when it is seen", async () => {
  const { connections, ids } = setUp();
  await pass(0);
  setHidden(true);
  await passAlive(30_000, connections[0]);
  expect(connections[0]?.isOpen()).toBe(true);
  setHidden(false);
  setHidden(true);
  await passAlive(40_000, connections[0]);
  expect(connections[0]?.isOpen()).toBe(true);
  await passAlive(30_000, connections[0]);
  expect(connections[0]?.isOpen()).toBe(false);
  await pass(600_000);
  expect(connections).toHaveLength(1);
  setHidden(false);
  await pass(0);
  expect(connections).toHaveLength(2);
  expect(ids()).toEqual(["anything", "anything"]);
});

test("a refusal is not asked for again and again", async () => {
  const { live, service, connections } = setUp();
  await pass(0);
  service.status = 401;
  connections[0]?.end();
  await pass(100_000);
  expect(live.isUp()).toBe(false);
  expect(service.asked).toBeLessThanOrEqual(5);
});

test("a connection on which one sign of life fails to come no longer counts as one", async () => {
  const { live, connections, service } = setUp();
  await pass(0);
  await passAlive(30_000, connections[0]);
  service.status = 503;
  await pass(15_000);
  expect(live.isUp()).toBe(true);
  await pass(5_000);
  expect(live.isUp()).toBe(false);
});

test("who gets no answers has the connection made anew, and seldom", async () => {
  const { live, connections, service, ids } = setUp();
  live.doubt(Date.now());
  await pass(1_000);
  connections[0]?.say(frame("7"));
  await pass(0);
  live.doubt(Date.now() - 1_001);
  await pass(0);
  expect(connections).toHaveLength(1);
  live.doubt(Date.now());
  await pass(0);
  expect(connections[0]?.isOpen()).toBe(false);
  expect(connections[1]?.headers).toMatchObject({ "last-event-id": "7" });
  expect([live.isUp(), ids()]).toEqual([true, ["anything", "7"]]);
  live.doubt(Date.now());
  await pass(0);
  expect(connections).toHaveLength(2);
  await passAlive(40_000, connections[1]);
  service.status = 503;
  live.doubt(Date.now());
  await pass(0);
  expect(live.isUp()).toBe(false);
});

test("doubts are heard from who follows after another has left", async () => {
  const { live, connections, leave } = setUp();
  await pass(0);
  leave();
  leaving.push(live.follow(() => undefined, "alice"));
  await pass(1_000);
  expect([live.isUp(), connections[1]?.isOpen()]).toEqual([true, true]);
  live.doubt(Date.now());
  await pass(0);
  expect(connections[1]?.isOpen()).toBe(false);
});

test("nobody signed in ends it", async () => {
  const token = vi.fn(async () => "a token");
  const { live, connections, service } = setUp(token);
  await pass(0);
  token.mockRejectedValue(new SignedOutError());
  connections[0]?.end();
  await pass(600_000);
  expect(token).toHaveBeenCalledTimes(2);
  expect(service.asked).toBe(1);
  expect(live.isUp()).toBe(false);
});

test("leaving closes the connection", async () => {
  const { live, connections, leave } = setUp();
  await pass(0);
  leave();
  await pass(0);
  expect(connections[0]?.isOpen()).toBe(false);
  expect(live.isUp()).toBe(false);
});
