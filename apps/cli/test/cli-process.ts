// `task-service` as a process, with a configuration folder of its own and nothing of the caller's settings.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";

/** A process takes its time to start on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });
const patienceMs = 80_000;

export const mainFile = join(import.meta.dirname, "../src/main.ts");

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "cli-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

/** A folder that goes with the test. */
export const temporaryFolder = (): Promise<string> => Promise.resolve(newFolder());

/** What a command sees: `PATH`, a folder for temporary files that goes with the test, no development data, and what the test says. */
export const cleanEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  TMPDIR: environment["TMPDIR"] ?? newFolder(),
  DATA_DIR: "/nowhere",
  XDG_CONFIG_HOME: "/nowhere",
  XDG_CACHE_HOME: join(tmpdir(), "cli-test-cache"),
  ...environment,
});

export interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** Resolves when either stream holds something like this. */
export const saying = (printed: { out: string; error: string }) => (what: RegExp) =>
  vi.waitFor(() => expect(printed.out + printed.error).toMatch(what), patienceMs);

/** Starts a command whose standard input stays open until `end`; killed with the test. */
export const startCli = (args: readonly string[], environment: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [mainFile, ...args], { env: cleanEnvironment(environment), stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (printed.out += chunk));
  child.stderr.on("data", (chunk) => (printed.error += chunk));
  child.stdin.on("error", () => undefined);
  const ended: Promise<Ended> = once(child, "close").then(([code]) => ({ code, ...printed }));
  return { child, printed, ended, says: saying(printed) };
};

/** Runs a command to its end, with `input` on standard input. */
export const runCli = (args: readonly string[], environment: NodeJS.ProcessEnv, input = ""): Promise<Ended> => {
  const { child, ended } = startCli(args, environment);
  child.stdin.end(input);
  return ended;
};
