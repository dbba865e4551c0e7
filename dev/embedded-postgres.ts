// PostgreSQL 18 from registry binaries: started with this process, stopped with it, its data kept between runs.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { PortTakenError, requireFreePort } from "./port-check.ts";
import { type PostgresAccount, postgresAccount } from "./postgres-account.ts";
import { ensureCluster, postgresBinaries } from "./postgres-cluster.ts";
import { dieWithParent } from "./unit-process.ts";

export interface PostgresOptions {
  /** Made with its parents if it is not there. */
  dataDir: string;
  /** 0 takes a free one. */
  port: number;
  /** Made together with the data directory; `postgres`, which is always there, by default. */
  database?: string;
  /** Passed to the server as `-c name=value`. */
  settings?: Record<string, string>;
  /** Trades durability for speed: what it holds does not survive a crash of the machine. */
  isTest?: boolean;
}

export interface Postgres {
  /** Superuser `postgres`, loopback, the database asked for. */
  readonly url: string;
  readonly port: number;
  /** Settles when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends every connection and shuts down cleanly. */
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const testSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** Resolves when the server accepts connections. Rejects with PortTakenError, or with what the server said. */
export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const { database = "postgres", settings = {}, isTest = false } = options;
  const dataDir = await realFolder(options.dataDir);
  const binaries = await postgresBinaries();
  const account = await postgresAccount(dataDir, binaries.postgres);
  await ensureCluster(binaries, account, { dataDir, database, isTest });
  const port = options.port || (await requireFreePort(0, host));

  const all = { listen_addresses: host, unix_socket_directories: "", ...(isTest && testSettings), ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [binaries.postgres, "-D", dataDir, "-p", String(port), ...flags];

  const server = await launch(account, command, port).catch(async (error: Error) => {
    if (!/lock file .* already exists/.test(error.message)) throw error;
    await endOrphan(dataDir);
    return launch(account, command, port);
  });
  await writeFile(ownerFile(dataDir), String(process.pid));
  const ended = exitOf(server);
  return {
    url: `postgres://postgres@${host}:${port}/${database}`,
    port,
    ended,
    stop: () => {
      server.kill("SIGINT");
      return ended;
    },
  };
};

const launch = async (account: PostgresAccount, command: string[], port: number): Promise<ChildProcess> => {
  const { file, args, options } = account.wrap(dieWithParent("INT", command));
  // A session of its own: the terminal's Ctrl-C must not reach it before its clients have gone.
  const server = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("close", () => {
      const complaint = said.join("\n");
      reject(complaint.includes("Address already in use") ? new PortTakenError(port) : new Error(complaint));
    });
    if (!server.stderr) return;
    createInterface(server.stderr).on("line", (line) => {
      if (line.endsWith("database system is ready to accept connections")) resolve(server);
      if (said.length < 20) said.push(line);
    });
  });
};

/** Where pdeathsig is unknown a server can outlive a killed parent: it is ended, unless its parent lives. */
const endOrphan = async (dataDir: string): Promise<void> => {
  const owner = await postgresOwner(dataDir);
  if (owner) throw new Error(`The data in ${dataDir} is in use by process ${owner}.`);
  const pid = await numberIn(join(dataDir, "postmaster.pid"));
  const { stdout } = spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
  if (!stdout?.includes("postgres"))
    throw new Error(`Process ${pid} is no PostgreSQL: remove ${dataDir}/postmaster.pid.`);
  process.kill(pid, "SIGINT");
  while (isAlive(pid)) await new Promise((again) => setTimeout(again, 20));
};

/** The process that runs a server on this data now, if any. */
export const postgresOwner = async (dataDir: string): Promise<number | undefined> => {
  const [server, owner] = await Promise.all([join(dataDir, "postmaster.pid"), ownerFile(dataDir)].map(numberIn));
  return server && owner && isAlive(server) && isAlive(owner) ? owner : undefined;
};

/** The number a file begins with; 0 without the file. */
const numberIn = async (path: string): Promise<number> =>
  Number.parseInt(await readFile(path, "utf8").catch(() => "0"), 10);

const ownerFile = (dataDir: string): string => join(dataDir, "owner.pid");

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const exitOf = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
};

/** Resolved links, as who may enter a folder depends on where it really is. */
const realFolder = async (folder: string): Promise<string> => {
  const parent = dirname(resolve(folder));
  await mkdir(parent, { recursive: true });
  return join(await realpath(parent), basename(folder));
};
