// What Prometheus gets (D-35): on its own port, readable, true, and without a word that a caller chose.
import type { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHandoff, createTask } from "../../test/factories.ts";
import { foldHistory } from "../../test/folded-history.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createMetrics } from "../platform/metrics.ts";
import { type MetricsServer, startMetricsServer } from "../platform/metrics-server.ts";

let app: TestApp;
let metrics: Registry;
let server: MetricsServer;
beforeAll(async () => {
  metrics = createMetrics();
  app = await startTestApp({ metrics });
  server = await startMetricsServer(metrics, "127.0.0.1", 0);
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.address.port}${path}`, { ...init, headers: { connection: "close" } });
const scrape = async (): Promise<string> => (await get("/metrics")).text();

const line = /^(?:|# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"\n]*",?)+\})? (?:-?[\d.]+(?:e[+-]?\d+)?|\+Inf|NaN))$/;

/** By name and labels, as the text has them. */
const valuesIn = (text: string): Map<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((one) => one !== "" && !one.startsWith("#"))
      .map((one) => [one.slice(0, one.lastIndexOf(" ")), Number(one.slice(one.lastIndexOf(" ") + 1))]),
  );

// First: what a scrape tells of the queue may be 5 s old.
test("they tell of the queue, of what happened, of requests and of the database", async () => {
  const { fleet } = await createHandoff(app);
  await createTask(app, fleet);
  await foldHistory(app);
  const text = await scrape();
  expect(
    text
      .trimEnd()
      .split("\n")
      .filter((one) => !line.test(one)),
  ).toEqual([]);
  const values = valuesIn(text);
  expect(values.get("task_service_queued_tasks")).toBe(1);
  expect(values.get("task_service_live_tasks")).toBe(1);
  expect(values.get("task_service_oldest_queued_seconds")).toBeGreaterThanOrEqual(0);
  expect(values.get('task_service_events_total{type="task.created"}')).toBe(2);
  expect(values.get('task_service_events_total{type="task.dispatched"}')).toBe(1);
  expect(values.get('task_service_dispatch_wait_seconds{quantile="0.99"}')).toBeGreaterThan(0);
  expect(values.get("task_service_history_fold_lag_seconds")).toBe(0);
  expect(values.get("task_service_waiting_requests")).toBe(0);
  expect(values.get("task_service_open_streams")).toBe(0);
  expect(values.get("task_service_database_oldest_snapshot_seconds")).toBeGreaterThanOrEqual(0);
  expect(values.get('task_service_database_connections{pool="requests",state="idle"}')).toBeGreaterThan(0);
  const created = 'task_service_http_request_duration_seconds_count{method="POST",route="/tasks",status="2xx"}';
  expect(values.get(created)).toBe(2);
  expect(values.get("process_resident_memory_bytes")).toBeGreaterThan(0);
});

test("metrics have a port of their own, and nothing else is there", async () => {
  const response = await get("/metrics");
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect([(await get("/")).status, (await get("/metrics", { method: "POST" })).status]).toEqual([404, 404]);
  expect((await app.request("/metrics")).status).toBe(404);
  expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
});

test("each of them is explained", async () => {
  const text = await scrape();
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  const explained = [...text.matchAll(/^# HELP (\w+) \S+/gm)].map(([, name]) => name);
  expect(explained).toEqual(names);
});

test("no label holds what a caller chose", async () => {
  const { task, dispatch, fleet } = await createHandoff(app, { executor: "named-by-a-caller" });
  await app.request(`/tasks/${task.id}?secret=in-the-query`);
  await app.request("/no/such/path-of-a-caller");
  await foldHistory(app);
  const samples = [...valuesIn(await scrape()).keys()].join("\n");
  const chosen = [task.id, dispatch.id, fleet.organization.id, fleet.organization.slug, "named-by", "secret", "such"];
  for (const word of [...chosen, "Bearer", app.token, dispatch.actor.sub]) expect(samples).not.toContain(word);
  expect(samples).toContain('route="/tasks/:id",status="4xx"');
  expect(samples).toContain('route="unknown",status="4xx"');
});

test("while the database is away the process still tells of itself", async () => {
  const lonely = createMetrics();
  const other = await startTestApp({ metrics: lonely });
  await other.close();
  const text = await lonely.metrics();
  expect(valuesIn(text).get("process_resident_memory_bytes")).toBeGreaterThan(0);
  expect(valuesIn(text).has("task_service_queued_tasks")).toBe(false);
  expect(valuesIn(text).get("task_service_waiting_requests")).toBe(0);
});
