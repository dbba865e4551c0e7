// Executors as processes on a stage of their own: what their workers record, and the end of every process that was started.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "@task-service/contract";
import { executorClient } from "@task-service/dev/identity-accounts.ts";
import { type TestContext, vi } from "vitest";
import type { Service } from "./replicas.ts";
import { setStage } from "./scenario-stage.ts";

const executorFile = join(import.meta.dirname, "../../packages/executor/src/main.ts");
export const cliFile = join(import.meta.dirname, "../../apps/cli/src/main.ts");
export const soon = { timeout: 30_000, interval: 100 };
/** More than an executor gives its workers to end. */
const endMs = 15_000;

/** Gone, or dead and only waiting for its parent to look. */
export const isGone = async (pid: string): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" || stat.includes(") Z ");
};

/** Command lines of living processes that were started with `folder` in their environment. Linux only: elsewhere none. */
export const processesOf = async (folder: string): Promise<string[]> => {
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ((await read(pid, "environ")).includes(`=${folder}`) ? read(pid, "cmdline") : "")),
  );
  return found.filter(Boolean).map((line) => line.replaceAll("\0", " "));
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const endExecutor = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([exit, sleep(endMs, undefined, { ref: false })]);
  if (hasEnded(child)) return;
  child.kill("SIGKILL");
  await exit;
};

/** Workers lead process groups; those of an executor that was killed have nobody else to end them. */
const killGroup = (leader: string): void => {
  try {
    process.kill(-Number(leader), "SIGKILL");
  } catch (error) {
    // Nobody of the group is left.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

/** A folder below `root`, an organization with one task, and executors for it: all of it ends with the test, however that ends. */
export const setExecutorStage = async (
  { onTestFinished, expect }: TestContext,
  service: Service,
  root: string,
  replica = 1,
) => {
  await mkdir(root, { recursive: true });
  const folder = await mkdtemp(join(root, "stage-"));
  const recorded = (name: string): Promise<string> => readFile(join(folder, name), "utf8").catch(() => "");
  const allow = (): Promise<void> => writeFile(join(folder, "go"), "");
  const executors: ChildProcess[] = [];
  let output = "";
  onTestFinished(async () => {
    await allow();
    await Promise.all(executors.map(endExecutor));
    (await recorded("groups")).split("\n").filter(Boolean).forEach(killGroup);
    await rm(folder, { recursive: true, force: true });
  });
  const stage = await setStage(service);
  const client = stage.clients[1];
  const { id } = await stage.create();
  const serviceUrl = `${service.replicas[replica]?.origin}/api`;
  const asClient = {
    TASK_SERVICE_URL: serviceUrl,
    OIDC_ISSUER: service.issuer,
    OIDC_CLIENT_ID: executorClient.id,
    OIDC_CLIENT_SECRET: executorClient.secret,
  };

  const launch = (
    file: string,
    before: readonly string[],
    options: readonly string[],
    script: string,
    settings: NodeJS.ProcessEnv,
  ) => {
    const kept = ["--organization", stage.organization, "--no-logs", "--work-dir", folder, "--stop-at-once"];
    const worker = ["sh", "-c", `echo $$ >> "$FOLDER/groups"\n${script}`, "sh", "{attempt}"];
    const child = spawn(process.execPath, [file, ...before, ...kept, ...options, "--", ...worker], {
      env: { PATH: process.env["PATH"], FOLDER: folder, XDG_STATE_HOME: folder, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    executors.push(child);
    return child;
  };

  return {
    id,
    client,
    folder,
    serviceUrl,
    recorded,
    /** What the executors have said. */
    output: () => output,
    /** Lets workers end that wait for it. */
    allow,
    start: (name: string, script: string, ...options: string[]): ChildProcess =>
      launch(executorFile, [], ["--name", name, ...options], script, asClient),
    /** `task-service run`, by whoever `settings` say. */
    startRun: (name: string, script: string, settings: NodeJS.ProcessEnv, ...options: string[]): ChildProcess =>
      launch(cliFile, ["run"], ["--name", name, ...options], script, settings),
    hasBegun: () => vi.waitFor(async () => expect(await recorded("begun-1"), output).not.toBe(""), soon),
    endsAs: (...outcomes: Outcome[]) =>
      vi.waitFor(async () => {
        expect(
          (await stage.dispatchesOf(id)).map(({ outcome }) => outcome),
          output,
        ).toEqual(outcomes);
      }, soon),
  };
};
