// run before it takes anything and when nobody is left to end it: a service that is away, and an npx that was ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createFleet } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli } from "../../test/cli-call.ts";
import { cleanEnvironment, saying, startCli, temporaryFolder } from "../../test/cli-process.ts";
import { openDoor } from "../../test/service-door.ts";

let app: TestApp;
let agent: string;

beforeAll(async () => {
  app = await startTestApp();
  agent = `${(await createFleet(app)).organization.slug}/developer`;
});

afterAll(() => app.close());

const signedIn = (url = app.baseUrl) => ({ TASK_SERVICE_URL: url, TASK_SERVICE_TOKEN: app.token });
const waitingFor = (name: string) => ["run", "--name", name, "-a", agent, "--no-logs", "--", "true"];

test("waits for a service that is away to look up agent types, and says so", async () => {
  const door = await openDoor(app.baseUrl);
  await door.shut();
  const { child, printed, says, ended } = startCli(waitingFor("patient"), signedIn(door.url));
  await says(/cannot be reached: .*Trying again\./);
  await door.open();
  await says(/executor patient: takes/);
  expect(printed.error.match(/Trying again/g)).toHaveLength(1);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
});

test("a signal ends that waiting", async () => {
  const { child, says, ended } = startCli(waitingFor("stopped"), signedIn("http://127.0.0.1:9/api"));
  await says(/Trying again\./);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, out: "" });
});

test("an agent type that is none is refused at once", async () => {
  const args = ["run", "-a", "nobody/like-that", "--", "true"];
  expect(await callCli(args, signedIn())).toMatchObject({
    code: 1,
    error: expect.stringContaining("nobody/like-that"),
  });
});

test("ends as by SIGTERM when the npx is ended that started it", async () => {
  const folder = await temporaryFolder();
  const child = spawn("npx", ["task-service", ...waitingFor("under-npx")], {
    cwd: resolve(import.meta.dirname, "../../../.."),
    env: { ...cleanEnvironment(signedIn()), npm_config_cache: folder, npm_config_update_notifier: "false" },
    // A group of its own, so that nothing of it outlives the test.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const group = -(child.pid ?? expect.fail("npx did not start"));
  const closed = once(child, "close");
  onTestFinished(async () => {
    if (child.stdout.readableEnded) return;
    process.kill(group, "SIGKILL");
    await closed;
  });
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (printed.out += chunk));
  child.stderr.on("data", (chunk) => (printed.error += chunk));
  await saying(printed)(/executor under-npx: takes/);
  child.kill("SIGTERM");
  await vi.waitFor(() => expect(printed.out).toContain("executor under-npx: stopped"), { timeout: 40_000 });
  await closed;
  expect(printed.out).toContain("takes no more tasks");
});
