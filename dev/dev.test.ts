// The life of `npm start`: up with one command, its data kept, nothing left behind however it ends (D-37).
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@task-service/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { root } from "./dev-settings.ts";
import { listenOn, PortTakenError, requireFreePort } from "./port-check.ts";

const patience = { timeout: 60_000 };
/** In the environment of everything the stack starts. */
const mark = `STACK_OF_TEST=${randomUUID()}`;
let dataDir = "";
let port = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stack-"));
  port = await sixFreePorts();
});
afterAll(() => rm(dataDir, { recursive: true }));

test("Data outlive SIGTERM and Ctrl-C, which leave nothing behind", patience, async () => {
  const first = await start("--bare");
  expect((await fetch(`http://localhost:${port + 1}/readyz`)).status).toBe(200);
  expect((await fetch(`http://localhost:${port}/`, { headers: { accept: "text/html" } })).status).toBe(200);
  const client = await memberClient();
  await client.createOrganization({ body: { slug: "kept" } });
  first.process.kill("SIGTERM");
  expect(await first.ended).toEqual([0, null]);
  expect(await left()).toEqual([]);

  const second = await start("--bare");
  expect(await client.getOrganization({ params: { organization: "kept" } })).toMatchObject({ slug: "kept" });
  // A terminal signals the whole group, and npm passes it on once more.
  for (const _ of ["terminal", "npm"]) process.kill(-second.pid, "SIGINT");
  expect(await second.ended).toEqual([0, null]);
  expect(await left()).toEqual([]);
  expect(await sixAreFree(port)).toBe(true);
});

test.runIf(process.platform === "linux")(
  "When a unit dies, or all is killed at once, nothing stays",
  patience,
  async () => {
    const stack = await start("--bare", "--reset");
    const client = await memberClient();
    expect(await client.listOrganizations()).toMatchObject({ items: [] });
    const api = (await left()).find(({ command }) => command.includes("apps/api"));
    process.kill(api?.pid ?? 0, "SIGKILL");
    expect(await stack.ended).toEqual([1, null]);
    expect(await stack.complaint).toContain("api ended with SIGKILL");
    expect(await left()).toEqual([]);

    const killed = await start();
    expect((await left()).map(({ command }) => command).join()).toContain("packages/executor");
    killed.process.kill("SIGKILL");
    await vi.waitUntil(async () => (await left()).length === 0, { timeout: 5_000 });
  },
);

test("A taken port is one line that names it and DEV_PORT", patience, async () => {
  for (const taken of [port, port + 5]) {
    const server = createServer();
    await listenOn(server, taken, "127.0.0.1");
    const { ended, complaint } = launch("--bare");
    expect(await ended).toEqual([1, null]);
    expect((await complaint).split("\n").filter((line) => !line.includes("│"))).toEqual([
      `Port ${taken} is taken by another process. DEV_PORT=<port> moves all six.`,
      "",
    ]);
    expect(await left()).toEqual([]);
    server.close();
    await once(server, "close");
  }
});

interface Launched {
  process: ChildProcess;
  pid: number;
  ended: Promise<unknown[]>;
  complaint: Promise<string>;
}

const launch = (...args: string[]): Launched & { output: NodeJS.ReadableStream } => {
  const [name = "", value] = mark.split("=");
  const env = { ...process.env, [name]: value, DEV_PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "fatal" };
  const child = spawn(process.execPath, [join(root, "dev", "dev.ts"), ...args], { env, detached: true });
  return {
    process: child,
    pid: child.pid ?? 0,
    ended: once(child, "exit"),
    complaint: text(child.stderr),
    output: child.stdout,
  };
};

const start = async (...args: string[]): Promise<Launched> => {
  const { output, ...launched } = launch(...args);
  const isUp = (async () => {
    for await (const said of output) if (String(said).includes("Ready after")) return;
    throw new Error(await launched.complaint);
  })();
  await isUp;
  return launched;
};

/** Processes that carry the mark, on systems that show them. */
const left = async (): Promise<{ pid: number; command: string }[]> => {
  const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  const look = async (pid: number) => {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const [environment, command] = await Promise.all([read("environ"), read("cmdline")]);
    return environment.includes(mark) && command ? [{ pid, command }] : [];
  };
  return (await Promise.all(pids.map(look))).flat();
};

const memberClient = async () => {
  const answer = await fetch(`http://localhost:${port + 3}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("executor:executor-secret")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return createClient({ baseUrl: `http://localhost:${port}/api`, token: () => access_token });
};

const sixAreFree = async (first: number): Promise<boolean> => {
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
