// The schedule of synchronization (D-32): one replica at a time, all organizations, none stopped by another, spread.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { answerJson, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "../platform/logger.ts";
import { startRounds } from "../platform/round-schedule.ts";
import type { AgentSync } from "./agent-sync.ts";
import { syncAllAgents } from "./sync-round.ts";

const log = createLogger("silent");
const patient = { timeout: 10_000 };
const intervalSeconds = 3600;

let gitHost: ScriptedGitHost;
let app: TestApp;
let slugs: string[];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  gitHost = await startScriptedGitHost();
});
beforeEach(async () => {
  gitHost.answerWith(() => false);
  gitHost.serve({ "personas/developer.md": personaFile("developer") });
  app = await startTestApp({ env: { GIT_URL: gitHost.url } });
  slugs = Array.from({ length: 10 }, newSlug);
  await Promise.all(slugs.map((slug) => app.client.createOrganization({ body: { slug } })));
  gitHost.requests.length = 0;
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await app.close();
});
afterAll(() => gitHost.stop());

const start = ({ database, sync }: TestApp): (() => Promise<void>) => {
  const sql = database.background;
  const work = (signal: AbortSignal) => syncAllAgents({ sql, sync, log, signal, gapMs: 0, spreadMs: 0 });
  const stop = startRounds({ sql, log }, { name: "agent synchronization", intervalSeconds, work });
  stops.push(stop);
  return stop;
};
const looks = () => gitHost.requests.flatMap(({ path }) => /repos\/([^/]+)\/.*\/commits\?/.exec(path)?.[1] ?? []);
const roundIsOver = () =>
  vi.waitFor(async () => {
    const [row] = await app.sql<
      { holder: string | null }[]
    >`select holder from rounds where name = 'agent synchronization'`;
    expect(row).toEqual({ holder: null });
  }, patient);
const makeDue = () => app.sql`update rounds set begun_at = now() - make_interval(secs => ${intervalSeconds + 1})`;
/** A synchronization of which only the calls count. */
const scripted = (syncAgents: AgentSync["syncAgents"]): AgentSync => ({
  syncAgents,
  underWay: () => 0,
  close: async () => {},
});
const never = new AbortController().signal;

test("replicas begin at once, one of them; then each round is done by one, when it is due", async () => {
  const other = await startTestApp({ env: { GIT_URL: gitHost.url }, beside: app });
  try {
    const held: ServerResponse[] = [];
    gitHost.answerWith((_, response) => held.push(response) > 0);
    start(app);
    await vi.waitFor(() => expect(held).toHaveLength(8), patient);
    start(other);
    // The connections of the first replica have other statements behind them by now.
    await vi.waitFor(async () => {
      const looked = await app.sql`
        select from pg_stat_activity
        where datname = current_database() and state = 'idle' and query like '%insert into rounds%'
      `;
      expect(looked).toHaveLength(1);
    }, patient);
    expect(held).toHaveLength(8);
    gitHost.answerWith(() => false);
    for (const response of held) answerJson(response, [{ sha: "a".repeat(40) }]);
    await vi.waitFor(() => expect(looks()).toHaveLength(10), patient);
    await roundIsOver();
    expect(looks().toSorted()).toEqual(slugs.toSorted());
    await makeDue();
    await vi.waitFor(() => expect(looks()).toHaveLength(20), patient);
    await roundIsOver();
    expect(looks()).toHaveLength(20);
  } finally {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await other.close();
  }
});

test("a repository that fails, and one that cannot even be tried, stop no other", async () => {
  const [broken = "", untried = ""] = slugs;
  gitHost.answerWith((path, response) => path.includes(`/${broken}/`) && answerJson(response, {}, 500));
  const { id } = await app.client.getOrganization({ params: { organization: untried } });
  const sync = scripted((one) => (one === id ? Promise.reject(new Error("no")) : app.sync.syncAgents(one)));
  await syncAllAgents({ sql: app.database.background, sync, log, signal: never, gapMs: 0, spreadMs: 0 });
  const { items } = await app.client.listOrganizations();
  const states = Object.fromEntries(items.map(({ slug, sync: { status } }) => [slug, status]));
  expect(states).toEqual({
    ...Object.fromEntries(slugs.map((slug) => [slug, "ok"])),
    [broken]: "failed",
    [untried]: "never",
  });
});

test("8 organizations at most are looked at together, each once, in an order that changes", async () => {
  const round = async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    const sync = scripted(async (id) => {
      seen.push(id);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return true;
    });
    await syncAllAgents({ sql: app.database.background, sync, log, signal: never, gapMs: 0, spreadMs: 1000 });
    return { seen, most };
  };
  const rounds = [await round(), await round(), await round()];
  const [{ seen = [] } = {}] = rounds;
  for (const one of rounds) {
    expect(one.most).toBe(8);
    expect(one.seen.toSorted()).toEqual(seen.toSorted());
  }
  expect(new Set(rounds.map((one) => one.seen.join())).size).toBeGreaterThan(1);
});

test("their starts are spread: so much for each, and no more than there is time for", async () => {
  const startsOf = async (gapMs: number, spreadMs: number) => {
    const begunAt = performance.now();
    const starts: number[] = [];
    const sync = scripted(async () => starts.push(performance.now() - begunAt) > 0);
    const random = () => 0.5;
    await syncAllAgents({ sql: app.database.background, sync, log, signal: never, gapMs, spreadMs, random });
    return starts;
  };
  const spread = await startsOf(30, 60_000);
  // Timers may fire a millisecond early.
  const early = spread.filter((atMs, index) => atMs < 30 * (index + 0.5) - 2);
  expect([spread.length, early]).toEqual([10, []]);
  expect((await startsOf(60_000, 50)).at(-1)).toBeLessThan(5000);
});

test("a process that stops in the middle of a round of 1,000 organizations leaves within seconds, and nothing held", async () => {
  const many = Array.from({ length: 1000 }, () => ({ id: randomUUID(), slug: newSlug(), name: "x" }));
  await app.sql`insert into organizations ${app.sql(many)}`;
  gitHost.answerWith(() => true);
  const stop = start(app);
  await vi.waitFor(() => expect(gitHost.requests).toHaveLength(8), patient);
  const stoppingAt = performance.now();
  await Promise.all([stop(), app.sync.close()]);
  expect(performance.now() - stoppingAt).toBeLessThan(2000);
  expect(await app.sql`select from agent_syncs where holder is not null`).toEqual([]);
  await roundIsOver();
  expect(gitHost.requests).toHaveLength(8);
  expect(app.sync.underWay()).toBe(0);
});
