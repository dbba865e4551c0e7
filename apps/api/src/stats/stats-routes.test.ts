// The numbers over HTTP (D-29): of nothing, of a queue, over time, and what is refused.
import { maxRootsPerDay, maxStatsItems } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, createTasks, takeTask } from "../../test/factories.ts";
import { foldHistory } from "../../test/folded-history.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { keepSample } from "./queue-sample.ts";
import { readQueueStanding } from "./queue-standing.ts";
import { readStats } from "./stats-queries.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const noWaits = { p50: null, p90: null, p95: null, p99: null };
const noDispatches = { dispatched: 0, per_minute: 0, wait_ms: noWaits };

test("of an empty service all numbers are there, and nothing", async () => {
  expect(await app.client.getStats()).toMatchObject({
    queued: 0,
    live: 0,
    oldest_queued_at: null,
    oldest_queued_seconds: null,
    by_priority: [],
    by_organization: [],
    by_agent_type: [],
    dispatch: { last_1h: noDispatches, last_24h: noDispatches, last_7d: noDispatches },
  });
  const { items } = await app.client.getStatsHistory();
  expect(items).toHaveLength(180);
  expect(items.at(-1)).toMatchObject({ queued: null, by_priority: null, dispatched: 0, input_tokens: 0 });
  const total = { dispatches: 0, input_tokens: 0, output_tokens: 0 };
  expect(await app.client.getStatsUsage({ query: { group_by: "root" } })).toEqual({ items: [], total });
});

test("of a queue: what waits and what is live, where, and since when", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app)];
  const [oldest] = await createTasks(app, fleet, 3, (n) => ({ priority: n === 2 ? 50 : 0 }));
  await createTask(app, other, { priority: 50 });
  await createTask(app, other, { assignee_type: null, assignee: null, organization: other.organization.slug });
  await takeTask(app, fleet);
  await foldHistory(app);
  const [type] = Object.values(fleet.agentTypes);
  const [otherType] = Object.values(other.agentTypes);
  const stats = await readStats(app.sql);
  expect(stats).toMatchObject({ queued: 3, live: 1, oldest_queued_at: oldest?.queued_at });
  expect(stats.oldest_queued_seconds).toBeGreaterThanOrEqual(0);
  expect(stats.by_priority).toEqual([
    { priority: 50, queued: 1, live: 1 },
    { priority: 0, queued: 2, live: 0 },
  ]);
  expect(stats.by_organization).toEqual([
    { organization_id: fleet.organization.id, organization_slug: fleet.organization.slug, queued: 2, live: 1 },
    { organization_id: other.organization.id, organization_slug: other.organization.slug, queued: 1, live: 0 },
  ]);
  expect(stats.by_agent_type).toMatchObject([
    { agent_type_id: type?.id, slug: type?.slug, queued: 2, live: 1, wait_ms: { p50: expect.any(Number) } },
    { agent_type_id: otherType?.id, slug: otherType?.slug, queued: 1, live: 0, wait_ms: noWaits },
  ]);
  expect(stats.dispatch.last_7d).toMatchObject({ dispatched: 1, wait_ms: { p99: expect.any(Number) } });
});

test("a task that came back first hides no older one behind it", async () => {
  const fleet = await createFleet(app, ["developer"]);
  const [, second] = await createTasks(app, fleet, 2, () => ({ priority: -1000 }));
  const { dispatch } = await takeTask(app, fleet);
  await app.client.releaseDispatch({ params: { id: dispatch.id } });
  await app.sql`update tasks set queued_at = '2020-01-01' where id = ${second?.id ?? ""}`;
  expect((await readStats(app.sql)).oldest_queued_at).toBe("2020-01-01T00:00:00.000Z");
});

test("many that come back again and again hide no older one behind them, nor the oldest of themselves", async () => {
  const fleet = await createFleet(app, ["developer"]);
  const tasks = await createTasks(app, fleet, 12, () => ({ priority: -2000 }));
  const [last, ...returning] = tasks.toReversed().map(({ id }) => id);
  for (const _ of returning) await takeTask(app, fleet);
  for (const id of returning) await app.client.requeueTask({ params: { id }, body: {} });
  await app.sql`update tasks set queued_at = '2019-06-01' where id = ${last ?? ""}`;
  expect((await readStats(app.sql)).oldest_queued_at).toBe("2019-06-01T00:00:00.000Z");
  await app.sql`update tasks set queued_at = '2019-01-01' where id = ${returning[0] ?? ""}`;
  expect((await readStats(app.sql)).oldest_queued_at).toBe("2019-01-01T00:00:00.000Z");
});

test("of more priorities than are looked at, the highest are", async () => {
  const fleet = await createFleet(app, ["developer"]);
  const tasks = await createTasks(app, fleet, maxStatsItems + 1, (n) => ({ priority: 2000 + n }));
  await app.sql`update tasks set queued_at = '2010-01-01' where id = ${tasks[0]?.id ?? ""}`;
  await app.sql`update tasks set queued_at = '2011-01-01' where id = ${tasks[1]?.id ?? ""}`;
  expect((await readStats(app.sql)).oldest_queued_at).toBe("2011-01-01T00:00:00.000Z");
});

test("numbers of now are read once for all who ask within 5 s", async () => {
  const [one, another] = await Promise.all([app.client.getStats(), app.client.getStats()]);
  expect(another).toEqual(one);
});

describe("history", () => {
  test("has every step: sums and samples where there are some, holes where nobody looked", async () => {
    await app.sql`
      insert into stats_history (step, at, dispatched, input_tokens, queued, live, oldest_queued_seconds, by_priority) values
        ('hour', '2020-01-01T01:00Z', 4, -3, 2, 1, null, '[{"priority": 0, "queued": 2, "live": 1}]'),
        ('hour', '2020-01-01T02:00Z', 6, 0, null, null, null, null),
        ('hour', '2020-01-01T04:00Z', 9, 0, null, null, null, null), ('day', '2020-01-01T01:00Z', 9, 0, null, null, null, null)
    `;
    const query = { step: "hour", from: "2020-01-01T00:30:00Z", to: "2020-01-01T03:59:00Z" } as const;
    const { items } = await app.client.getStatsHistory({ query });
    expect(
      items.map(({ at, queued, dispatched, input_tokens }) => [at.slice(11, 16), queued, dispatched, input_tokens]),
    ).toEqual([
      ["00:00", null, 0, 0],
      ["01:00", 2, 4, -3],
      ["02:00", null, 6, 0],
      ["03:00", null, 0, 0],
    ]);
    expect(items[1]).toMatchObject({
      live: 1,
      oldest_queued_seconds: null,
      by_priority: [{ priority: 0, queued: 2, live: 1 }],
    });
  });

  test("keeps one sample a minute, and the last one for hour and day", async () => {
    await createTask(app, await createFleet(app), { priority: 31_000 });
    const standing = await readQueueStanding(app.sql);
    const sample = (time: string, queued: number) =>
      keepSample(app.sql, { ...standing, queued, at: `2019-06-15T${time}.000Z` });
    await Promise.all([sample("12:29:59", 7), sample("12:29:59", 7)]);
    await sample("12:30:00", 8);
    await sample("12:30:59", 9);
    await sample("13:00:00", 10);
    const steps = await app.sql`
      select step, to_char(at, 'HH24:MI') as at, queued from stats_history where at < '2019-06-16' order by step, at
    `;
    expect(steps.map(({ step, at, queued }) => [step, at, queued])).toEqual([
      ["day", "00:00", 10],
      ["hour", "12:00", 8],
      ["hour", "13:00", 10],
      ["minute", "12:29", 7],
      ["minute", "12:30", 8],
      ["minute", "13:00", 10],
    ]);
    const query = { step: "day", from: "2019-06-15T00:00:00Z", to: "2019-06-16T00:00:00Z" } as const;
    const { items } = await app.client.getStatsHistory({ query });
    expect(items[0]?.by_priority).toContainEqual({ priority: 31_000, queued: 1, live: 0 });
  });
});

test("a root has all it used in the days asked for, also on those on which many used more", async () => {
  const days = ["2018-03-01", "2018-03-02", "2018-03-03", "2018-03-04"];
  await app.sql`
    insert into usage_days (dimension, day, key, dispatches, input_tokens, output_tokens)
    select 'root', day::date, gen_random_uuid()::text, 1, 1000, 0 from unnest(${days}::text[]) day, generate_series(1, ${maxRootsPerDay + 5})
  `;
  const key = "00000000-0000-7000-8000-000000000001";
  const use = (day: string, dispatches: number, tokens: number) => app.sql`
    insert into usage_days (dimension, day, key, dispatches, input_tokens, output_tokens)
    values ('root', ${day}, ${key}, ${dispatches}, ${tokens}, ${tokens})
  `;
  for (const day of days.slice(0, 2)) await use(day, 2, 400);
  await use("2018-03-03", 1, 0);
  await use("2018-03-04", 1, 5000);
  const query = { group_by: "root", from: "2018-03-02", to: "2018-03-04" } as const;
  const { items } = await app.client.getStatsUsage({ query });
  expect(items[0]).toEqual({ key, label: key, dispatches: 4, input_tokens: 5400, output_tokens: 5400 });
});

test.each([
  ["/stats/history?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "?from"],
  ["/stats/history?from=2020-01-01T00:00:00Z", "?step"],
  ["/stats/history?from=yesterday", "?from"],
  ["/stats/history?step=week", "?step"],
  ["/stats/usage?from=2026-02-30", "?from"],
  ["/stats/usage?from=2026-01-02&to=2026-01-01", "?from"],
  ["/stats/usage?group_by=actor", "?group_by"],
  ["/stats?organization=acme", "?organization"],
])("%s is 400 and names the parameter", async (path, pointer) => {
  expect(await app.problem(path)).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
});
