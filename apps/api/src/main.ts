// The API process: environment, configuration, listening, migrations, signals.
import { setTimeout as delay } from "node:timers/promises";
import { syncAllAgents } from "./agents/agent-sync.ts";
import { buildApp } from "./app.ts";
import { createKeySource } from "./auth/key-set.ts";
import { createDispatchEngine } from "./dispatch/dispatch-engine.ts";
import { createGitHost } from "./git/git-host-client.ts";
import { type Config, ConfigError, readConfig } from "./platform/config.ts";
import { isConnectionGone, openDatabase } from "./platform/database.ts";
import { createFailpoints } from "./platform/failpoints.ts";
import { createLogger } from "./platform/logger.ts";
import { migrate } from "./platform/migrate.ts";
import { createNotifications } from "./platform/notifications.ts";

const configurationFault = 78;
const drainMs = 7000;

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
const sync = { sql: database.background, gitHost: createGitHost(config.git), log };
const hit = createFailpoints(config.failpoints);
const notifications = createNotifications({ url: config.databaseDirectUrl, log });
const { maxLostDispatches } = config;
const engine = createDispatchEngine({ database, notifications, maxLostDispatches, log, hit });

const stopping = new AbortController();
const isDraining = () => stopping.signal.aborted;
const app = await buildApp({ config, database, keySource, sync, engine, log, hit, isDraining });

// postgres.js reads types on each new connection and leaves that unanswered when the server goes at this very moment.
process.on("unhandledRejection", (error) => {
  if (!isConnectionGone(error)) throw error;
  log.warn({ err: error }, "a new connection to the database was lost");
});

const stop = async (): Promise<void> => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  log.info("stopping");
  engine.drain();
  const deadline = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(deadline);
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

await app.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(error.code === "EADDRINUSE" ? `Port ${config.port} is taken.\n` : `${error.message}\n`);
  process.exit(1);
});
log.info({ address: app.server.address() }, "listening");
void keySource.current();
await migrateWhenReachable();
if (!stopping.signal.aborted) {
  engine.start();
  await syncAllAgents(sync).catch((error: unknown) =>
    log.warn({ err: error }, "personas could not be synchronized at start"),
  );
}
