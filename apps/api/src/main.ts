// The API process: environment, configuration, listening, migrations, signals.
import { setTimeout as delay } from "node:timers/promises";
import { createAgentSync } from "./agents/agent-sync.ts";
import { syncAllAgents } from "./agents/sync-round.ts";
import { buildApp } from "./app.ts";
import { createKeySource } from "./auth/key-set.ts";
import { createDispatchEngine } from "./dispatch/dispatch-engine.ts";
import { createEventFeed } from "./events/event-feed.ts";
import { createEventHorizon } from "./events/event-horizon.ts";
import { createEventRetention } from "./events/event-retention.ts";
import { createGitHost } from "./git/git-host-client.ts";
import { createIssueHost } from "./git/git-host-issues.ts";
import { createGitHostRequests } from "./git/git-host-requests.ts";
import { forgetKeys } from "./idempotency/idempotency-queries.ts";
import { createMirror } from "./mirror/mirror.ts";
import { type Config, ConfigError, readConfig } from "./platform/config.ts";
import { isConnectionGone, openDatabase, within } from "./platform/database.ts";
import { createFailpoints } from "./platform/failpoints.ts";
import { createLogger } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { type MetricsServer, startMetricsServer } from "./platform/metrics-server.ts";
import { migrate } from "./platform/migrate.ts";
import { createNotifications } from "./platform/notifications.ts";
import { repeat } from "./platform/repetition.ts";
import { startRounds } from "./platform/round-schedule.ts";
import { startStatsJobs } from "./stats/stats-jobs.ts";
import { mergeSearchEntries } from "./tasks/search-upkeep.ts";

const configurationFault = 78;
const drainMs = 7000;
const secondMs = 1000;
const hourMs = 3_600_000;

const configuration = (): Config => {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    process.exit(configurationFault);
  }
};

const config = configuration();
const log = createLogger(config.logLevel);
const database = openDatabase(config.databaseUrl);
const keySource = createKeySource({ ...config.oidc, log });
const gitRequests = createGitHostRequests(config.git);
const sync = createAgentSync({ sql: database.background, gitHost: createGitHost(gitRequests), log });
const mirror = createMirror({
  sql: database.background,
  host: createIssueHost(gitRequests),
  gitUrl: config.git.url,
  log,
});
const hit = createFailpoints(config.failpoints);
const notifications = createNotifications({ url: config.databaseDirectUrl, log });
const { maxLostDispatches } = config;
const feed = createEventFeed({ sql: database.requests, log });
const onHint = feed.nudge;
const engine = createDispatchEngine({ database, notifications, maxLostDispatches, log, hit, onHint });

const stopping = new AbortController();
const isDraining = () => stopping.signal.aborted;
const metrics = config.metricsPort === 0 ? undefined : createMetrics();
const sourceChanged = (id: string): void => {
  sync.syncAgents(id).catch((error) => log.error({ err: error, organization_id: id }, "synchronization failed"));
};
const app = await buildApp({
  config,
  database,
  keySource,
  sync,
  sourceChanged,
  mirror,
  engine,
  feed,
  log,
  hit,
  metrics,
  isDraining,
});

// postgres.js reads types on each new connection and leaves that unanswered when the server goes at this very moment.
process.on("unhandledRejection", (error) => {
  if (!isConnectionGone(error)) throw error;
  log.warn({ err: error }, "a new connection to the database was lost");
});

let metricsServer: MetricsServer | undefined;
const stopsOfRounds: (() => Promise<void>)[] = [];

const stop = async (): Promise<void> => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  log.info("stopping");
  engine.drain();
  feed.drain();
  const closing = within(drainMs, Promise.all([mirror.close(), sync.close()])).catch(() => {});
  const roundsEnded = Promise.all(stopsOfRounds.map((stopRounds) => stopRounds()));
  const deadline = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(deadline);
  await metricsServer?.close();
  await Promise.all([closing, roundsEnded]);
  await engine.close();
  await database.close();
  process.exit(0);
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);

/** Waits for the database to be there: it may be started beside this process. */
const migrateWhenReachable = async (): Promise<void> => {
  while (!stopping.signal.aborted) {
    try {
      const applied = await migrate(database.background);
      if (applied.length > 0) log.info({ applied }, "migrated");
      return;
    } catch (error) {
      log.error({ err: error }, "the database cannot be migrated yet");
      await delay(1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
};

const refuseAddress =
  (port: number) =>
  (error: NodeJS.ErrnoException): never => {
    process.stderr.write(error.code === "EADDRINUSE" ? `Port ${port} is taken.\n` : `${error.message}\n`);
    process.exit(1);
  };

await app.listen({ host: config.host, port: config.port }).catch(refuseAddress(config.port));
log.info({ address: app.server.address() }, "listening");
if (metrics) {
  metricsServer = await startMetricsServer(metrics, config.host, config.metricsPort).catch(
    refuseAddress(config.metricsPort),
  );
  log.info({ address: metricsServer.address }, "listening for metrics");
}
void keySource.current();
await migrateWhenReachable();
if (!stopping.signal.aborted) {
  engine.start();
  const horizon = createEventHorizon(database.background);
  const { eventRetentionDays } = config;
  const stopStatsJobs = startStatsJobs({ sql: database.background, horizon, eventRetentionDays, log });
  stopping.signal.addEventListener("abort", stopStatsJobs);
  repeat("merging search entries", secondMs, log, () => mergeSearchEntries(database.background));
  repeat("forgetting old events", hourMs, log, createEventRetention(database.background, eventRetentionDays));
  repeat("forgetting idempotency keys", hourMs, log, () => forgetKeys(database.background));
  const background = { sql: database.background, log };
  const { syncIntervalSeconds, mirrorIntervalSeconds } = config;
  stopsOfRounds.push(
    startRounds(background, {
      name: "agent synchronization",
      intervalSeconds: syncIntervalSeconds,
      work: (signal) => syncAllAgents({ ...background, sync, signal, spreadMs: (syncIntervalSeconds * secondMs) / 4 }),
    }),
    startRounds(background, { name: "mirror", intervalSeconds: mirrorIntervalSeconds, work: mirror.look }),
  );
}
