// `npm start` as a test runs it: on six free ports and a folder of its own, every process it leaves recognisable.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../dev-settings.ts";
import { PortTakenError, requireFreePort } from "../port-check.ts";

export interface Launched {
  process: ChildProcess;
  pid: number;
  ended: Promise<unknown[]>;
  /** What it says on standard error until it ends. */
  complaint: Promise<string>;
  output: NodeJS.ReadableStream;
}

export interface StackPlace {
  /** The first of six. */
  port: number;
  dataDir: string;
  launch(...args: string[]): Launched;
  /** Resolves when it says that it is ready. */
  start(...args: string[]): Promise<Launched>;
  /** Processes of this place that still run, on systems that show them. */
  left(): Promise<{ pid: number; command: string }[]>;
  /** An access token by client credentials. */
  token(clientId: "executor" | "outsider"): Promise<string>;
  remove(): Promise<void>;
}

export const sixAreFree = async (first: number): Promise<boolean> => {
  try {
    for (let offset = 0; offset < 6; offset += 1) await requireFreePort(first + offset, "127.0.0.1");
    return true;
  } catch (error) {
    if (error instanceof PortTakenError) return false;
    throw error;
  }
};

const sixFreePorts = async (): Promise<number> => {
  const first = await requireFreePort(0, "127.0.0.1");
  return first < 65_530 && (await sixAreFree(first)) ? first : sixFreePorts();
};

export const prepareStackPlace = async (environment: Record<string, string> = {}): Promise<StackPlace> => {
  const mark = ["STACK_OF_TEST", randomUUID()] as const;
  const dataDir = await mkdtemp(join(tmpdir(), "stack-"));
  const port = await sixFreePorts();

  const launch = (...args: string[]): Launched => {
    const env = {
      ...process.env,
      [mark[0]]: mark[1],
      DEV_PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "fatal",
      ...environment,
    };
    const child = spawn(process.execPath, [join(root, "dev", "dev.ts"), ...args], { env, detached: true });
    return {
      process: child,
      pid: child.pid ?? 0,
      ended: once(child, "exit"),
      complaint: text(child.stderr),
      output: child.stdout,
    };
  };

  return {
    port,
    dataDir,
    launch,
    start: async (...args) => {
      const launched = launch(...args);
      for await (const said of launched.output) if (String(said).includes("Ready after")) return launched;
      throw new Error(await launched.complaint);
    },
    left: async () => {
      const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
      const look = async (pid: number) => {
        const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
        const [env, command] = await Promise.all([read("environ"), read("cmdline")]);
        return env.includes(mark.join("=")) && command ? [{ pid, command }] : [];
      };
      return (await Promise.all(pids.map(look))).flat();
    },
    token: async (clientId) => {
      const answer = await fetch(`http://localhost:${port + 3}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientId}-secret`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials" }),
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    remove: () => rm(dataDir, { recursive: true }),
  };
};
