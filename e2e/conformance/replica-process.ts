// One API process on a port of its own, killed without warning and started again as a supervisor would.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@task-service/contract";
import { dieWithParent } from "@task-service/dev/unit-process.ts";

export interface Replica {
  readonly port: number;
  readonly origin: string;
  isRunning(): boolean;
  /** Settles when the process that runs now has ended, whoever ended it. */
  ended(): Promise<void>;
  /** Resolves when it is ready. Rejects when it ends before that, or is not ready in time. */
  start(environment?: NodeJS.ProcessEnv): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL after 12 s. */
  stop(): Promise<void>;
}

const main = fileURLToPath(import.meta.resolve("@task-service/api/src/main.ts"));
const maxStartMs = 30_000;
const maxStopMs = 12_000;
const lookMs = 50;

/** Nothing runs before `start`. Its output is appended to `logFile`. */
export const prepareReplica = (port: number, environment: NodeJS.ProcessEnv, logFile: string): Replica => {
  const origin = `http://127.0.0.1:${port}`;
  const { getReadiness } = createClient({ baseUrl: origin });
  let child: ChildProcess | undefined;

  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const ended = async (): Promise<void> => {
    if (child && isRunning()) await once(child, "exit");
  };
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    child?.kill(signal);
    const last = setTimeout(() => child?.kill("SIGKILL"), maxStopMs);
    await ended();
    clearTimeout(last);
  };

  return {
    port,
    origin,
    isRunning,
    ended,
    start: async (more = {}) => {
      const [file = "", ...args] = dieWithParent("TERM", [process.execPath, main]);
      const log = openSync(logFile, "a");
      const env = { ...environment, ...more, HOST: "127.0.0.1", PORT: String(port) };
      child = spawn(file, args, { env, detached: true, stdio: ["ignore", log, log] });
      closeSync(log);
      const deadline = AbortSignal.timeout(maxStartMs);
      while (!(await getReadiness({ signal: AbortSignal.timeout(1000) }).catch(() => undefined))) {
        if (!isRunning() || deadline.aborted)
          throw new Error(`the replica on port ${port} did not start: see ${logFile}`);
        await delay(lookMs);
      }
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
};
