// PostgreSQL that can be crashed and started again on the same data, durable as in production.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Postgres, startPostgres } from "@task-service/dev/embedded-postgres.ts";

export interface DatabaseServer {
  readonly url: string;
  /** Immediate shutdown: no farewell to clients, no checkpoint. The next start recovers from the log. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const settings = {
  max_connections: "300",
  // When each transaction committed: what the order of hand-overs is proved by.
  track_commit_timestamp: "on",
};

/** fsync and synchronous_commit are on unless `isTest`. */
export const startDatabaseServer = async (options: {
  dataDir: string;
  port: number;
  isTest?: boolean;
}): Promise<DatabaseServer> => {
  const start = (): Promise<Postgres> => startPostgres({ ...options, database: "task_service", settings });
  let server = await start();
  return {
    url: server.url,
    crash: async () => {
      const pid = Number.parseInt(await readFile(join(options.dataDir, "postmaster.pid"), "utf8"), 10);
      process.kill(pid, "SIGQUIT");
      await server.ended;
    },
    start: async () => {
      server = await start();
    },
    stop: () => server.stop(),
  };
};
