// The program as it is started: exit codes, signals, and a worker of its own from claim to finish.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFakeIdentityProvider } from "../test/fake-identity-provider.ts";
import { createFakeService, type FakeService } from "../test/fake-service.ts";

let service: FakeService;
let provider: Awaited<ReturnType<typeof createFakeIdentityProvider>>;

beforeEach(async () => {
  [service, provider] = await Promise.all([createFakeService(), createFakeIdentityProvider()]);
});

afterEach(() => Promise.all([service.close(), provider.close()]));

const start = (args: string[], environment: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (printed.out += chunk));
  child.stderr.on("data", (chunk) => (printed.error += chunk));
  const says = (what: string) => vi.waitFor(() => expect(printed.out).toContain(what), 10_000);
  return { child, says, ended: once(child, "close").then(([code]) => ({ code, ...printed })) };
};

const configured = () => ({
  TASK_SERVICE_URL: service.url,
  OIDC_ISSUER: provider.settings.issuer,
  OIDC_CLIENT_ID: "executor",
  OIDC_CLIENT_SECRET: "executor-secret",
});

test("a worker gets a token file and no secrets; SIGTERM waits for it; nothing private is printed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  service.offer({ prompt: "a private prompt" }, {});
  const check = `test "$(cat $TASK_SERVICE_TOKEN_FILE)" = token-1 || exit 8; env | grep OIDC_ && exit 9`;
  const worker = `${check}; echo "begun with $TASK_SERVICE_TOKEN_FILE"; until [ -e ${folder}/go ]; do sleep 0.02; done`;
  const { child, says, ended } = start(["--name", "test-7", "--", "sh", "-c", worker], configured());
  await says("begun");
  child.kill("SIGTERM");
  child.kill("SIGINT");
  await says("takes no more tasks");
  await writeFile(join(folder, "go"), "");
  const { code, out, error } = await ended;
  expect(code).toBe(0);
  expect(service.seen.map(({ operation, token }) => [operation, token])).toEqual([
    ["next", "token-1"],
    ["finish", "token-1"],
  ]);
  expect(service.requests("next")[0]?.query["executor"]).toBe("test-7");
  const [, tokenFile = ""] = /begun with (.+)/.exec(out) ?? [];
  expect([tokenFile.startsWith(tmpdir()), existsSync(tokenFile)]).toEqual([true, false]);
  expect(out + error).not.toMatch(/private prompt|You write code|token-1|executor-secret/);
});

test("--stop-at-once gives the task back on the first signal", async () => {
  service.offer({});
  const { child, says, ended } = start(["--stop-at-once", "--", "sh", "-c", "echo begun; sleep 600"], configured());
  await says("begun");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  expect(service.requests("release")[0]?.body.reason).toBe("the executor was stopped");
});

test("wrong settings end with 78 and all of their problems", async () => {
  const { code, error } = await start(["--", "true"], { TASK_SERVICE_URL: "x" }).ended;
  expect(code).toBe(78);
  for (const name of ["TASK_SERVICE_URL", "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]) {
    expect(error).toContain(name);
  }
});

test("a wrong command line ends with 64 and the usage, --help with 0", async () => {
  const [wrong, help] = await Promise.all([start(["--slots", "1"]).ended, start(["--help"]).ended]);
  expect(wrong).toMatchObject({ code: 64, out: "" });
  expect(wrong.error).toMatch(/no command[\s\S]*Usage:/);
  expect(help).toMatchObject({ code: 0, error: "" });
  expect(help.out).toMatch(/^Usage:/);
});
