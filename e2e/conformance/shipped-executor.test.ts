// The shipped executor as processes against a real API: killed, its API restarted, its token ended, its task taken away.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@task-service/contract";
import { executorClient } from "@task-service/dev/identity-accounts.ts";
import { afterAll, beforeAll, describe, type TestContext, test, vi } from "vitest";
import { type Service, startService } from "./replicas.ts";
import { newName, setStage } from "./scenario-stage.ts";

const main = join(import.meta.dirname, "../../packages/executor/src/main.ts");
const patience = { timeout: 60_000 };
const soon = { timeout: 30_000, interval: 100 };
let service: Service;

beforeAll(async () => {
  service = await startService({ replicas: 2, isTest: true, accessTokenSeconds: 4 });
}, 60_000);
afterAll(() => service.stop(), 60_000);

/** Tells its process and that of a child, then waits until it may go on; the second attempt is told and done at once. */
const waits = `echo begun >> $FOLDER/begun-$1
  [ $1 = 1 ] || exit 0
  (trap "" TERM; while [ ! -e $FOLDER/go ]; do sleep 0.05; done) & echo $$ $! > $FOLDER/pids
  while [ ! -e $FOLDER/go ]; do sleep 0.05; done`;

/** Tests run at once, so each has a folder, an organization and executors of its own; they end with it. */
const setUp = async ({ onTestFinished, expect }: TestContext, replica = 1) => {
  const folder = await mkdtemp(join(tmpdir(), "shipped-executor-"));
  const stage = await setStage(service);
  const client = stage.clients[1];
  const { id } = await stage.create();
  const recorded = (name: string): Promise<string> => readFile(join(folder, name), "utf8").catch(() => "");
  const allow = (): Promise<void> => writeFile(join(folder, "go"), "");
  onTestFinished(async () => {
    // Whatever waits for it ends, also a worker that lost its executor.
    await allow();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (name: string, script: string, ...options: string[]): ChildProcess => {
    const args = ["--name", name, "--organization", stage.organization, "--no-logs", "--work-dir", folder, ...options];
    const child = spawn(process.execPath, [main, ...args, "--", "sh", "-c", script, "sh", "{attempt}"], {
      env: {
        PATH: process.env["PATH"],
        FOLDER: folder,
        TASK_SERVICE_URL: `${service.replicas[replica]?.origin}/api`,
        OIDC_ISSUER: service.issuer,
        OIDC_CLIENT_ID: executorClient.id,
        OIDC_CLIENT_SECRET: executorClient.secret,
      },
      stdio: "ignore",
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    });
    return child;
  };

  return {
    id,
    client,
    folder,
    recorded,
    allow,
    start,
    hasBegun: () => vi.waitUntil(async () => (await recorded("begun-1")) !== "", soon),
    endsAs: (...outcomes: Outcome[]) =>
      vi.waitFor(async () => {
        expect((await stage.dispatchesOf(id)).map(({ outcome }) => outcome)).toEqual(outcomes);
      }, soon),
  };
};

/** Gone, or dead and only waiting for its parent to look. */
const isGone = async (pid: string): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" || stat.includes(") Z ");
};

describe.concurrent("the shipped executor", () => {
  test("Killed in the middle of a task, its lease ends and another takes the task", patience, async (context) => {
    const { start, hasBegun, endsAs } = await setUp(context);
    const killed = start(newName(), waits, "--lease", "10s");
    await hasBegun();
    killed.kill("SIGKILL");
    start(newName(), waits);
    await endsAs("expired", "finished");
  });

  test("Killed and started again under its name, it takes the task again at once", patience, async (context) => {
    const { start, hasBegun, endsAs } = await setUp(context);
    const name = newName();
    const killed = start(name, waits, "--lease", "1h");
    await hasBegun();
    killed.kill("SIGKILL");
    await once(killed, "exit");
    start(name, waits, "--lease", "1h");
    await endsAs("lost", "finished");
  });

  test(
    "The API is killed in the middle of a task: the worker goes on, its end is told later",
    patience,
    async (context) => {
      const { id, client, start, hasBegun, endsAs, allow, recorded } = await setUp(context, 0);
      start(newName(), `${waits}; echo "Done all the same."`);
      await hasBegun();
      await service.replicas[0]?.kill();
      await allow();
      await vi.waitUntil(async () => isGone((await recorded("pids")).split(" ")[0] ?? ""), soon);
      await service.replicas[0]?.start();
      await endsAs("finished");
      context.expect((await client.getTask({ params: { id } })).result).toBe("Done all the same.");
    },
  );

  test(
    "Work outlives the token it began with, which the service refuses: the file has another",
    patience,
    async (context) => {
      const { id, client, folder, start, endsAs } = await setUp(context);
      const worker = `
    const { TASK_SERVICE_TOKEN_FILE: file, TASK_SERVICE_URL: url, TASK_ID, DISPATCH_ID: dispatch_id } = process.env;
    const token = () => require("node:fs").readFileSync(file, "utf8");
    const ask = (token, init) => fetch(url + "/tasks/" + TASK_ID, {
      ...init, headers: { authorization: "Bearer " + token, "content-type": "application/json" } });
    (async () => {
      const first = token();
      while ((await ask(first)).status !== 401) await new Promise((again) => setTimeout(again, 250));
      const body = JSON.stringify({ dispatch_id, result: "By another token." });
      process.exitCode = (await ask(token(), { method: "PATCH", body })).ok ? 0 : 1;
    })();`;
      await writeFile(join(folder, "worker.cjs"), worker);
      start(newName(), `exec "${process.execPath}" $FOLDER/worker.cjs`);
      await vi.waitFor(
        async () => {
          const { result } = await client.getTask({ params: { id } });
          context.expect(result).toBe("By another token.");
        },
        // Clocks may differ: a token is believed for 30 s beyond its end.
        { timeout: 50_000, interval: 250 },
      );
      await endsAs("finished");
    },
  );

  test.runIf(process.platform === "linux")(
    "A task is requeued by somebody: the worker and what it started are gone, nothing of it is reported",
    patience,
    async (context) => {
      const { id, client, start, hasBegun, endsAs, recorded } = await setUp(context);
      start(newName(), `${waits}; echo "Too late."`, "--slots", "2");
      await hasBegun();
      await vi.waitUntil(async () => (await recorded("pids")) !== "", soon);
      const pids = (await recorded("pids")).trim().split(" ");
      await client.requeueTask({ params: { id } });
      await endsAs("requeued", "finished");
      await vi.waitUntil(async () => (await Promise.all(pids.map(isGone))).every(Boolean), soon);
      context.expect(pids).toHaveLength(2);
      context.expect((await client.getTask({ params: { id } })).result).toBeNull();
    },
  );
});
