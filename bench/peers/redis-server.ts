// Redis from Debian's package, as BullMQ's guide for production has it: append-only file, synced every second, nothing evicted.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { requireFreePort } from "../../dev/port-check.ts";
import { dieWithParent } from "../../dev/unit-process.ts";
import { endProcess } from "../harness/child-process.ts";

export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const isInstalled = (): boolean => spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

const aptGet = (...args: string[]): boolean => {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
};

const ensureInstalled = (): void => {
  if (isInstalled()) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stdout.write("Installing redis-server for BullMQ …\n");
    aptGet("update", "-qq");
    aptGet("install", "-y", "-qq", "--no-install-recommends", "redis-server");
  }
  if (!isInstalled()) throw new Error("BullMQ needs redis-server: install it (Debian: apt-get install redis-server).");
};

/** Keeps its data in `dataDir`, which is made. Resolves when it accepts connections. */
export const startRedis = async (dataDir: string): Promise<RedisServer> => {
  ensureInstalled();
  await mkdir(dataDir, { recursive: true });
  const port = await requireFreePort(0, host);
  const settings = {
    port: String(port),
    bind: host,
    dir: dataDir,
    save: "",
    appendonly: "yes",
    appendfsync: "everysec",
    // Not in the middle of a measurement.
    "auto-aof-rewrite-percentage": "0",
    "maxmemory-policy": "noeviction",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const [program = "", ...args] = dieWithParent("TERM", ["redis-server", ...flags]);
  const server = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.once("exit", () => reject(new Error("redis-server has ended")));
  createInterface(server.stdout).on("line", (line) => {
    if (line.includes("Ready to accept connections")) resolve();
  });
  await promise;
  return { port, stop: () => endProcess(server) };
};
