// Tabs of one person share one connection: whichever reads, none misses anything, and strangers hear nothing.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SignedOutError } from "../lib/signed-out-error.ts";
import { createFakeEventService, frame } from "../testing/fake-event-service.ts";
import { createFakeBrowser, createFakePage } from "../testing/fake-tabs.ts";
import { createLiveEvents } from "./live-events.ts";
import type { News } from "./live-news.ts";

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const leaving: (() => void)[] = [];

const setUp = () => {
  const { connections, service, fetch } = createFakeEventService();
  const browser = createFakeBrowser();
  const openTab = (subject = "alice", token = async () => `token of ${subject}`) => {
    const page = createFakePage();
    const live = createLiveEvents({
      baseUrl: "https://tasks.example/api",
      token,
      fetch,
      sharing: browser,
      page,
    });
    const heard: News[] = [];
    const close = live.follow((news) => heard.push(...news), subject);
    leaving.push(close);
    const ids = () => heard.map((news) => (typeof news === "string" ? news : news.id));
    /** What was heard since it was last asked. */
    const news = () => {
      const all = ids();
      heard.length = 0;
      return all;
    };
    return { live, page, close, news };
  };
  const open = () => connections.filter((connection) => connection.isOpen());
  return { connections, service, browser, openTab, open };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  for (const leave of leaving.splice(0)) leave();
  await pass(0);
  vi.useRealTimers();
});

test("one connection for all tabs: each hears each event once, and whoever joins asks for everything", async () => {
  const { openTab, open } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(300);
  const third = openTab();
  await pass(0);
  expect([first.live.isUp(), second.live.isUp(), third.live.isUp()]).toEqual([true, true, true]);
  expect(third.news()).toEqual(["anything"]);
  first.news();
  second.news();
  open()[0]?.say(frame("07"));
  await pass(300);
  expect([first.news(), second.news(), third.news()]).toEqual([["07"], ["07"], ["07"]]);
  expect(open()).toHaveLength(1);
});

test("when the tab that reads is closed, another goes on where it was, and nobody asks for anything twice", async () => {
  const { openTab, open, connections } = setUp();
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await pass(300);
  open()[0]?.say(frame("07"));
  await pass(300);
  for (const tab of [second, third]) tab.news();
  first.close();
  await pass(0);
  expect(open()).toHaveLength(1);
  expect(connections.at(-1)?.headers).toMatchObject({ "last-event-id": "07" });
  open()[0]?.say(frame("08"));
  await pass(300);
  expect([second.news(), third.news()]).toEqual([["08"], ["08"]]);
});

test("a tab that reads and is hidden hands over to one that is looked at", async () => {
  const { openTab, open } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(300);
  const [before] = open();
  first.page.setHidden(true);
  await pass(0);
  expect(before?.isOpen()).toBe(false);
  expect(open()).toHaveLength(1);
  expect(second.live.isUp()).toBe(true);
  second.page.setHidden(true);
  first.page.setHidden(false);
  await pass(0);
  expect(open()).toHaveLength(1);
  expect(first.live.isUp()).toBe(true);
});

test("all tabs hidden: the connection is given back after a minute, and taken again by the one that is seen", async () => {
  const { openTab, open } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(0);
  second.page.setHidden(true);
  first.page.setHidden(true);
  await pass(30_000);
  expect(open()).toHaveLength(1);
  await pass(40_000);
  expect(open()).toHaveLength(0);
  second.news();
  second.page.setHidden(false);
  await pass(300);
  expect(open()).toHaveLength(1);
  expect(second.live.isUp()).toBe(true);
  expect(second.news()).toContain("anything");
});

test("who is someone else, or no longer signed in, is told nothing and reads nothing for others", async () => {
  const { openTab, open, connections } = setUp();
  let isSignedIn = true;
  const alice = openTab("alice", async () => (isSignedIn ? "alice's" : Promise.reject(new SignedOutError())));
  const bob = openTab("bob");
  await pass(300);
  expect(open()).toHaveLength(2);
  bob.news();
  alice.news();
  connections.find(({ headers }) => headers["authorization"] === "Bearer alice's")?.say(frame("07"));
  await pass(300);
  expect([alice.news(), bob.news()]).toEqual([["07"], []]);

  const other = openTab("alice");
  isSignedIn = false;
  connections.find(({ headers }) => headers["authorization"] === "Bearer alice's")?.end();
  await pass(3_000);
  expect(alice.live.isUp()).toBe(false);
  expect(other.live.isUp()).toBe(true);
});

test("a tab that missed a message, or whose reader fell silent, knows it", async () => {
  const { openTab, open, browser } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(300);
  second.news();
  const told = browser.posted.findLast((message) => (message as { kind: string }).kind === "told") as object;
  browser.openChannel("task-service live alice").postMessage({ ...told, count: 99 });
  await pass(0);
  expect(second.news()).toEqual(["anything"]);
  expect(first.live.isUp()).toBe(true);
  expect(open()).toHaveLength(1);
});

test("a tab that gets no answers has the one that reads make sure, for all of them", async () => {
  const { openTab, open, connections, service } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(300);
  service.status = 503;
  second.live.doubt(Date.now());
  await pass(0);
  expect(open()).toHaveLength(0);
  expect([first.live.isUp(), second.live.isUp()]).toEqual([false, false]);
  service.status = 200;
  await pass(5_000);
  expect([first.live.isUp(), second.live.isUp()]).toEqual([true, true]);
  expect(connections).toHaveLength(2);
});

test("on waking up everything is asked for, over a new connection", async () => {
  const { openTab, open, connections } = setUp();
  const tab = openTab();
  await pass(300);
  tab.news();
  window.dispatchEvent(new Event("online"));
  await pass(300);
  expect(tab.news()).toContain("anything");
  expect(connections).toHaveLength(2);
  expect(open()).toHaveLength(1);

  vi.setSystemTime(Date.now() + 3_600_000);
  await pass(1_500);
  expect(tab.news()).toContain("anything");
  expect(connections).toHaveLength(3);
  expect(connections.at(-1)?.headers).not.toHaveProperty("last-event-id");
});

test("5,000 events a second are passed on in few messages of a bounded size", async () => {
  const { openTab, open, browser } = setUp();
  const [first, second] = [openTab(), openTab()];
  await pass(300);
  for (const tab of [first, second]) tab.news();
  browser.posted.length = 0;
  for (let ms = 0; ms < 3_000; ms += 20) {
    let text = "";
    for (let count = 0; count < 100; count += 1) text += frame(String(100_000 + ms * 5 + count));
    open()[0]?.say(text);
    await pass(20);
  }
  await pass(300);
  expect(browser.posted.length).toBeLessThanOrEqual(20);
  const sizes = browser.posted.map((message) => (message as { news: unknown[] }).news.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(201);
  for (const tab of [first, second]) expect(tab.news().length).toBeLessThan(20 * 201);
  second.close();
  first.close();
});
