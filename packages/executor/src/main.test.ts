// The program as it is started: exit codes, signals, and a worker of its own from claim to finish.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFakeIdentityProvider } from "../test/fake-identity-provider.ts";
import { createFakeService, type FakeService } from "../test/fake-service.ts";

let service: FakeService;
let folder: string;
let provider: Awaited<ReturnType<typeof createFakeIdentityProvider>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  [service, provider] = await Promise.all([createFakeService(), createFakeIdentityProvider()]);
});

afterEach(() => Promise.all([service.close(), provider.close(), rm(folder, { recursive: true })]));

const start = (args: string[], environment: NodeJS.ProcessEnv = {}, output: "pipe" | number = "pipe") => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    env: { PATH: process.env["PATH"], XDG_STATE_HOME: join(folder, "state"), ...environment },
    stdio: ["ignore", output, output],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", error: "" };
  child.stdout?.on("data", (chunk) => (printed.out += chunk));
  child.stderr?.on("data", (chunk) => (printed.error += chunk));
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
  expect(new Set(service.seen.map(({ token }) => token))).toEqual(new Set(["token-1"]));
  expect(service.finished()).toHaveLength(1);
  expect(service.requests("capacity")[0]?.body.executor).toBe("test-7");
  const [, tokenFile = ""] = /begun with (.+)/.exec(out) ?? [];
  expect([tokenFile.startsWith(tmpdir()), existsSync(tokenFile)]).toEqual([true, false]);
  expect(out + error).not.toMatch(/private prompt|You write code|token-1\b|executor-secret/);
});

test("--stop-at-once gives the task back on the first signal", async () => {
  service.offer({});
  const { child, says, ended } = start(["--stop-at-once", "--", "sh", "-c", "echo begun; sleep 600"], configured());
  await says("begun");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  expect(service.requests("release")[0]?.body.reason).toBe("the executor was stopped");
});

test("output is streamed, kept in a file that only this user may read, and its end becomes the result", async () => {
  service.offer({});
  const worker = 'echo one; echo aside >&2; printf "\\033[1mtwo\\033[0m"';
  const { child, says, ended } = start(["--", "sh", "-c", worker], configured());
  await says("finished");
  child.kill("SIGTERM");
  await ended;
  const [{ task } = expect.fail()] = [...service.dispatches.values()];
  expect(task.result).toBe("one\ntwo");
  const logs = join(folder, "state/task-service/executor");
  expect(await readdir(logs)).toEqual([`${task.id}-1.log`]);
  const file = join(logs, `${task.id}-1.log`);
  expect((await readFile(file, "utf8")).split("\n").toSorted()).toEqual(["", "\u001b[1mtwo\u001b[0m", "aside", "one"]);
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
});

test.runIf(existsSync("/dev/full"))("a full disk behind its own output ends neither worker nor executor", async () => {
  service.offer({});
  const disk = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(disk));
  const worker = `echo one; echo two >&2; until [ -e ${folder}/go ]; do sleep 0.02; done`;
  const { child, ended } = start(["--", "sh", "-c", worker], configured(), disk);
  await vi.waitFor(() => expect(service.dispatches.size).toBe(1), 10_000);
  await writeFile(join(folder, "go"), "");
  await vi.waitFor(() => expect(service.finished()).toHaveLength(1), 10_000);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  const [{ task } = expect.fail()] = [...service.dispatches.values()];
  expect(task.result).toBe("one");
});

test("a second process under the name is refused; the name of one that was killed is free", async () => {
  const first = start(["--", "true"], configured());
  await first.says("takes up to");
  const second = await start(["--", "true"], configured()).ended;
  expect(second).toMatchObject({ code: 75, out: "" });
  expect(second.error).toContain(`process ${first.child.pid} is the executor`);
  first.child.kill("SIGKILL");
  await first.ended;
  const third = start(["--", "true"], configured());
  await third.says("takes up to");
  third.child.kill("SIGTERM");
  expect(await third.ended).toMatchObject({ code: 0 });
});

test.each([[], ["--work-dir"], ["--logs"]])(
  "a folder that cannot be made is a wrong setting: %s",
  async (...option) => {
    await writeFile(join(folder, "file"), "");
    const place = join(folder, "file", "x");
    const options = option.flatMap((one) => [one, place]);
    const environment = {
      ...configured(),
      XDG_RUNTIME_DIR: folder,
      ...(options.length === 0 && { XDG_STATE_HOME: place }),
    };
    const { code, out, error } = await start([...options, "--", "true"], environment).ended;
    expect({ code, out }).toEqual({ code: 78, out: "" });
    expect(error).toMatch(/cannot be made .*: name another with --(work-dir|logs, or keep no output with --no-logs)\n/);
  },
);

test("of two that do not see each other's lock the earlier ends with 75 and says why", async () => {
  const options = ["--name", "test-7", "--lease", "10s", "--", "true"];
  const first = start(options, configured());
  await first.says("takes up to");
  await vi.waitFor(() => expect(service.requests("capacity")).toHaveLength(1), 10_000);
  const second = start(options, { ...configured(), XDG_STATE_HOME: join(folder, "elsewhere") });
  const { code, error } = await first.ended;
  expect(code).toBe(75);
  expect(error).toMatch(/^The executor ends: another process, .* uses the name test-7 and has taken over/);
  second.child.kill("SIGTERM");
  expect(await second.ended).toMatchObject({ code: 0 });
});

test("a reader that stands still holds nothing up, and the end does not wait for it", async () => {
  service.offer({}, {});
  const { child } = start(["--lease", "10s", "--", "sh", "-c", "seq 1000000"], configured());
  child.stdout?.pause();
  child.stderr?.pause();
  await vi.waitFor(() => expect(service.finished()).toHaveLength(2), 30_000);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
}, 60_000);

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
