// The shipped executor as processes against a real API: killed, its API restarted, its token ended, its task taken away.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executorClient } from "@task-service/dev/identity-accounts.ts";
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from "vitest";
import { confirmDevice } from "../../apps/cli/test/sign-in-browser.ts";
import { cliFile, isGone, processesOf, setExecutorStage, soon } from "./executor-stage.ts";
import { type Service, startService } from "./replicas.ts";
import { newName } from "./scenario-stage.ts";

const patience = { timeout: 90_000 };
/** Only one test goes by it; the others begin while it is away. */
const killedReplica = 2;
const root = join(tmpdir(), `shipped-executor-${process.pid}`);
let service: Service;

beforeAll(async () => {
  service = await startService({ replicas: 3, isTest: true, accessTokenSeconds: 4 });
}, 60_000);
afterAll(async () => {
  try {
    await vi.waitFor(async () => expect(await processesOf(root)).toEqual([]), { timeout: 5000 });
  } finally {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  }
}, 60_000);

/** Tells its process and that of a child, then waits until it may go on; the second attempt is told and done at once. */
const waits = `echo begun >> $FOLDER/begun-$1
  [ $1 = 1 ] || exit 0
  (trap "" TERM; while [ ! -e $FOLDER/go ]; do sleep 0.05; done) & echo $$ $! > $FOLDER/pids
  while [ ! -e $FOLDER/go ]; do sleep 0.05; done`;

/** Reads the file again and again until the token it began with is refused, and reports with the last one how many there were. */
const tokenWorker = `
  const { TASK_SERVICE_TOKEN_FILE: file, TASK_SERVICE_URL: url, TASK_ID, DISPATCH_ID: dispatch_id } = process.env;
  const seen = new Set();
  const token = () => {
    const read = require("node:fs").readFileSync(file, "utf8");
    seen.add(read);
    return read;
  };
  const ask = (token, init) => fetch(url + "/tasks/" + TASK_ID, {
    ...init, headers: { authorization: "Bearer " + token, "content-type": "application/json" } });
  (async () => {
    const first = token();
    while ((await ask(first)).status !== 401) {
      token();
      await new Promise((again) => setTimeout(again, 250));
    }
    const last = token();
    const body = JSON.stringify({ dispatch_id, result: "Tokens: " + seen.size });
    process.exitCode = (await ask(last, { method: "PATCH", body })).ok ? 0 : 1;
  })();`;
const runsTokenWorker = `exec "${process.execPath}" "$FOLDER/worker.cjs"`;

type Outlived = Pick<Awaited<ReturnType<typeof setExecutorStage>>, "id" | "client" | "endsAs" | "output">;

const outlivesTokens = async ({ expect }: TestContext, { id, client, endsAs, output }: Outlived): Promise<void> => {
  const tokens = await vi.waitFor(
    async () => {
      const { result } = await client.getTask({ params: { id } });
      return Number(/^Tokens: (\d+)$/.exec(result ?? "")?.[1] ?? expect.fail(output()));
    },
    // Clocks may differ: a token is believed for 30 s beyond its end.
    { timeout: 70_000, interval: 250 },
  );
  expect(tokens).toBeGreaterThan(3);
  await endsAs("finished");
};

/** Alice signs in by device code; her tokens are below `folder`. */
const logIn = async (serviceUrl: string, folder: string): Promise<void> => {
  const args = [cliFile, "login", serviceUrl, "--issuer", service.issuer, "--device"];
  const env = { PATH: process.env["PATH"], FOLDER: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const exit = once(child, "exit");
  let said = "";
  let isConfirmed = false;
  for await (const chunk of child.stderr) {
    said += chunk;
    const [, userCode] = /confirm the code (\S+)\s/.exec(said) ?? [];
    if (!userCode || isConfirmed) continue;
    isConfirmed = true;
    await confirmDevice(service.issuer, userCode, "alice");
  }
  expect(await exit, said).toEqual([0, null]);
};

/** Tests run at once: each has a folder, an organization and executors of its own. */
const setUp = (context: TestContext, replica?: number) => setExecutorStage(context, service, root, replica);

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
      const { id, client, start, hasBegun, endsAs, allow, recorded } = await setUp(context, killedReplica);
      start(newName(), `${waits}; echo "Done all the same."`);
      await hasBegun();
      await service.replicas[killedReplica]?.kill();
      await allow();
      await vi.waitUntil(async () => isGone((await recorded("pids")).split(" ")[0] ?? ""), soon);
      await service.replicas[killedReplica]?.start();
      await endsAs("finished");
      context.expect((await client.getTask({ params: { id } })).result).toBe("Done all the same.");
    },
  );

  test("Work outlives many tokens, which the service refuses: the file has others", patience, async (context) => {
    const { folder, start, ...rest } = await setUp(context);
    await writeFile(join(folder, "worker.cjs"), tokenWorker);
    start(newName(), runsTokenWorker);
    await outlivesTokens(context, rest);
  });

  test("Work outlives many tokens of a person who signed in, whose `run` goes on", patience, async (context) => {
    const { folder, serviceUrl, startRun, ...rest } = await setUp(context);
    await writeFile(join(folder, "worker.cjs"), tokenWorker);
    await logIn(serviceUrl, folder);
    startRun(newName(), runsTokenWorker, { XDG_CONFIG_HOME: folder });
    await outlivesTokens(context, rest);
    const { items } = await rest.client.listTaskDispatches({ params: { id: rest.id } });
    context.expect(items).toMatchObject([{ attempt: 1, actor: { sub: "alice" } }]);
  });

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

test("Two of one name see no lock of each other: the later goes on, the earlier ends", patience, async (context) => {
  const { folder, serviceUrl, start, startRun, hasBegun, endsAs, output } = await setUp(context);
  const name = newName();
  const earlier = startRun(
    name,
    waits,
    {
      TASK_SERVICE_URL: serviceUrl,
      OIDC_ISSUER: service.issuer,
      OIDC_CLIENT_ID: executorClient.id,
      OIDC_CLIENT_SECRET: executorClient.secret,
      XDG_STATE_HOME: join(folder, "elsewhere"),
    },
    "--lease",
    "10s",
  );
  const exit = once(earlier, "exit");
  await hasBegun();
  start(name, waits);
  await endsAs("lost", "finished");
  context.expect(await exit, output()).toEqual([75, null]);
  context.expect(output()).toContain(`uses the name ${name} and has taken over`);
});
