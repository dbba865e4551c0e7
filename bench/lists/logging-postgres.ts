// PostgreSQL that can be asked for the plan of every statement it runs: with auto_explain, and a log of JSON lines to find them in.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { requireFreePort } from "../../dev/port-check.ts";
import { postgresAccount } from "../../dev/postgres-account.ts";
import { ensureCluster, postgresBinaries } from "../../dev/postgres-cluster.ts";
import { dieWithParent } from "../../dev/unit-process.ts";

export interface LoggingPostgres {
  readonly url: string;
  /** Holds nothing but plans, a line each, while they are asked for. */
  readonly logFile: string;
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const logName = "statements";
/** Off until somebody sets `auto_explain.log_min_duration`. */
const logSettings = {
  listen_addresses: host,
  unix_socket_directories: "",
  logging_collector: "on",
  log_destination: "jsonlog",
  log_directory: "log",
  log_filename: logName,
  log_rotation_age: "0",
  log_rotation_size: "0",
  log_file_mode: "0644",
  shared_preload_libraries: "auto_explain",
  "auto_explain.log_format": "json",
};

const isUp = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

/** Not as development starts it, which waits for a line on standard error: here the log's collector has them all. */
export const startLoggingPostgres = async (
  dataDir: string,
  settings: Record<string, string>,
): Promise<LoggingPostgres> => {
  const binaries = await postgresBinaries();
  const account = await postgresAccount(dataDir, binaries.postgres);
  await ensureCluster(binaries, account, { dataDir, database: "postgres", isTest: false });
  const port = await requireFreePort(0, host);
  const flags = Object.entries({ ...logSettings, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [binaries.postgres, "-D", dataDir, "-p", String(port), ...flags];
  const { file, args, options } = account.wrap(dieWithParent("INT", command));
  const server = spawn(file, args, { ...options, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  // What it says before the collector is there: why it does not start, if so.
  const complaint = server.stderr ? text(server.stderr) : "";
  const url = `postgres://postgres@${host}:${port}/postgres`;
  while (!(await isUp(url))) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${await complaint}`);
    await delay(50);
  }
  return {
    url,
    logFile: join(dataDir, "log", `${logName}.json`),
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGINT");
      await once(server, "exit");
    },
  };
};
