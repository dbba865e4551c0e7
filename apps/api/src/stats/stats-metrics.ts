// What Prometheus is told of the service (D-35), most of it out of what /stats answers anyway: a scrape never scans.
import type { Stats } from "@task-service/contract";
import type { Registry } from "prom-client";
import type { Sql } from "../platform/database.ts";
import { countConnections, readOldestSnapshotSeconds } from "../platform/database-health.ts";
import { addCounter, addGauge, type Reading } from "../platform/metrics.ts";
import { listEventTotals, readFoldLag } from "./event-fold.ts";

export interface StatsMetricsDeps {
  /** For work that nobody waits for. */
  sql: Sql;
  currentStats: () => Promise<Stats>;
  waitingRequests: () => number;
  openStreams: () => number;
}

const only = (value: number): Reading[] => [{ value }];

const waitsOf = ({ dispatch }: Stats): Reading[] =>
  Object.entries(dispatch.last_1h.wait_ms).flatMap(([percentile, ms]) =>
    ms === null ? [] : [{ labels: { quantile: `0.${percentile.slice(1)}` }, value: ms / 1000 }],
  );

export const addStatsMetrics = (registry: Registry, deps: StatsMetricsDeps): void => {
  const { sql, currentStats, waitingRequests, openStreams } = deps;
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    addGauge(registry, { name, help }, async () => only(await read()));

  gauge("waiting_requests", "Requests of this process that wait for a task", waitingRequests);
  gauge("open_streams", "Event streams that this process serves", openStreams);

  // The same on every replica, from here on: aggregate with max, not with sum.
  gauge("queued_tasks", "Tasks that wait for an executor", async () => (await currentStats()).queued);
  gauge("live_tasks", "Tasks with a live dispatch", async () => (await currentStats()).live);
  gauge(
    "oldest_queued_seconds",
    "How long the longest waiting task has been queued",
    async () => (await currentStats()).oldest_queued_seconds ?? 0,
  );
  addGauge(
    registry,
    {
      name: "dispatch_wait_seconds",
      help: "How long the tasks dispatched in the last hour had waited",
      labels: ["quantile"],
    },
    async () => waitsOf(await currentStats()),
  );
  addCounter(
    registry,
    {
      name: "events_total",
      help: "What happened in the whole service since its beginning, by type of event: task.created, task.dispatched, task.expired, …",
      labels: ["type"],
    },
    async () => (await listEventTotals(sql)).map(({ type, count }) => ({ labels: { type }, value: count })),
  );
  gauge("history_fold_lag_seconds", "Age of the oldest event that the numbers do not count yet", () =>
    readFoldLag(sql),
  );
  gauge("database_oldest_snapshot_seconds", "Age of the oldest open snapshot: it keeps dead rows in every table", () =>
    readOldestSnapshotSeconds(sql),
  );
  addGauge(
    registry,
    {
      name: "database_connections",
      help: "Connections of all replicas to the database, by pool and state",
      labels: ["pool", "state"],
    },
    async () =>
      (await countConnections(sql)).map(({ pool, state, count }) => ({ labels: { pool, state }, value: count })),
  );
};
