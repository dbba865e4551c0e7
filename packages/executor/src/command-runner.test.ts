// Real workers: what they find around them, what becomes of them, and that nothing of them stays.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Handoff } from "@task-service/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handoffOf, persona } from "../test/handoff-factory.ts";
import { type CommandRunnerOptions, createCommandRunner } from "./command-runner.ts";
import { createMemoryLimit } from "./worker-limits.ts";

let folder: string;
let workDirectory: string;
let printed: string[];
const running = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  workDirectory = await mkdtemp(join(folder, "work-"));
  printed = [];
});

afterEach(() => rm(folder, { recursive: true }));

const base = () => ({
  workDirectory,
  serviceUrl: "http://tasks.example/api",
  tokenFile: "/run/token",
  environment: process.env,
  print: (stream: string, line: string) => printed.push(`${stream} ${line}`),
  log: (line: string) => printed.push(line),
});
const runner = (command: [string, ...string[]], options: Partial<CommandRunnerOptions> = {}) =>
  createCommandRunner({ ...base(), command, ...options });

const shell = (script: string, options?: Partial<CommandRunnerOptions>) => runner(["sh", "-c", script], options);
const node = (script: string) => runner([process.execPath, "-e", script]);
const withPrompt = (prompt: string): Handoff => ({ ...handoffOf(), task: { ...handoffOf().task, prompt } });
const recorded = async (name: string) => (await readFile(join(folder, name), "utf8")).trim();

/** Gone, or dead and only waiting for its parent to look. */
const isGone = async (pid: string): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" || stat.includes(") Z ");
};

test("a worker finds its task and persona in a private, fresh directory, and its settings in the environment", async () => {
  const handoff = handoffOf();
  const record = `
    const { readFileSync, writeFileSync, statSync, readdirSync } = require("node:fs");
    const mode = (path) => (statSync(path).mode & 0o777).toString(8);
    writeFileSync("${folder}/seen.json", JSON.stringify({
      directory: process.cwd(), files: readdirSync(".").sort(), modes: [mode("."), mode("TASK.json"), mode("PERSONA.md")],
      task: JSON.parse(readFileSync("TASK.json", "utf8")), persona: readFileSync("PERSONA.md", "utf8"),
      prompt: readFileSync(0, "utf8"), environment: process.env }));
    writeFileSync("left-behind", "");`;
  const secrets = {
    TASK_SERVICE_TOKEN: "t",
    OIDC_CLIENT_SECRET: "s",
    OIDC_CLIENT_SECRET_FILE: "f",
    SIGNING_SECRET: "w",
    DATABASE_URL: "d",
  };
  const environment = { PATH: process.env["PATH"], LLM_KEY: "kept", ...secrets };
  const run = runner([process.execPath, "-e", record], { environment });
  await run(handoff, running.signal);

  const seen = JSON.parse(await recorded("seen.json"));
  expect(seen.directory).toMatch(new RegExp(`^${workDirectory}/task-${handoff.task.id}-`));
  expect(seen.files).toEqual(["PERSONA.md", "PROMPT.md", "TASK.json"]);
  expect(seen.modes).toEqual(["700", "600", "600"]);
  expect(seen.task).toEqual(handoff.task);
  expect(seen.persona).toBe(persona);
  expect(seen.prompt).toBe(handoff.task.prompt);
  expect(seen.environment).toEqual({
    PATH: process.env["PATH"],
    LLM_KEY: "kept",
    TASK_ID: handoff.task.id,
    DISPATCH_ID: handoff.dispatch.id,
    TASK_SERVICE_URL: "http://tasks.example/api",
    TASK_SERVICE_TOKEN_FILE: "/run/token",
  });
  expect(await readdir(workDirectory)).toEqual([]);
});

test("two workers share no directory and no process group", async () => {
  const run = shell(`(pwd; ps -o pgid= -p $$) | tr -d ' ' > "${folder}/$TASK_ID"`);
  const handoffs = [handoffOf(), handoffOf()];
  await Promise.all(handoffs.map((handoff) => run(handoff, running.signal)));
  const [one, other] = await Promise.all(handoffs.map(({ task }) => recorded(task.id)));
  const [directory, group] = one?.split("\n") ?? [];
  expect(other).not.toContain(directory);
  expect(other?.split("\n")[1]).not.toBe(group);
});

test("a prompt of 262,144 characters arrives whole", async () => {
  const prompt = "ä☃".repeat(131_072);
  await node(`process.stdin.pipe(require("node:fs").createWriteStream("${folder}/prompt"))`)(
    withPrompt(prompt),
    running.signal,
  );
  expect((await recorded("prompt")) === prompt).toBe(true);
});

test("a worker that does not read its prompt does no harm", async () => {
  await shell("exec <&-; exit 0")(withPrompt("x".repeat(262_144)), running.signal);
});

test("output is passed on line by line, marked with the task", async () => {
  const handoff = handoffOf();
  await shell("echo one; printf two >&2")(handoff, running.signal);
  const mark = `[${handoff.task.id.slice(-6)}]`;
  expect(printed.toSorted()).toEqual([`stderr ${mark} two`, `stdout ${mark} one`]);
});

test.each([
  ["echo 'no disk' >&2; echo >&2; exit 3", "exit code 3: no disk"],
  ["exit 1", "exit code 1"],
  ["kill -9 $$", "killed by SIGKILL"],
])("%s: the reason is %s, and the directory is gone", async (script, reason) => {
  await expect(shell(script)(handoffOf(), running.signal)).rejects.toThrow(new Error(reason));
  expect(await readdir(workDirectory)).toEqual([]);
});

test("a command that does not exist is a reason too", async () => {
  const run = runner(["no-such-command"])(handoffOf(), running.signal);
  await expect(run).rejects.toThrow(new Error("cannot start no-such-command: ENOENT"));
  const tooLong = runner(["true", "{prompt}"])(withPrompt("x".repeat(2 ** 21)), running.signal);
  await expect(tooLong).rejects.toThrow(
    "cannot start true: an argument is too long for this system; put {prompt_file}",
  );
});

test("an abort ends the worker and its grandchildren, and lets them tidy up", async () => {
  const stop = new AbortController();
  const grandchild = `trap 'echo tidy > ${folder}/tidied; exit 0' TERM; echo $$ > ${folder}/pid; while :; do sleep 0.02; done`;
  await writeFile(join(folder, "grandchild.sh"), grandchild);
  const run = shell(`sh ${folder}/grandchild.sh & wait`)(handoffOf(), stop.signal);
  const pid = await vi.waitFor(async () => {
    const content = await recorded("pid");
    expect(content).not.toBe("");
    return content;
  });
  stop.abort(new Error("stopped"));
  await expect(run).rejects.toThrow("stopped");
  expect(await recorded("tidied")).toBe("tidy");
  expect(await isGone(pid)).toBe(true);
});

test("what a worker leaves running ends with it", async () => {
  await shell(`sleep 600 & echo $! > ${folder}/pid`)(handoffOf(), running.signal);
  expect(await isGone(await recorded("pid"))).toBe(true);
});

test("placeholders of the command are filled in for each task", async () => {
  const handoff = withPrompt("-rf; $(touch owned) {task_id}");
  const script = `cat "$1" > ${folder}/persona; printf %s "$2" > ${folder}/prompt; printf %s "$3" > ${folder}/others`;
  const others = "{agent_type} {task_id} {{task_id}} {a} }} {";
  await runner(["sh", "-c", script, "sh", "{persona_file}", "{prompt}", others])(handoff, running.signal);
  expect(await readFile(join(folder, "persona"), "utf8")).toBe(persona);
  expect(await recorded("prompt")).toBe(handoff.task.prompt);
  expect(await recorded("others")).toBe(`developer ${handoff.task.id} {task_id} {a} }} {`);
});

test("the last lines of standard output are the result unless another is there; without any there is none", async () => {
  const lines = 'i=0; while [ $i -lt 150 ]; do i=$((i+1)); echo "line $i"; done; echo aside >&2';
  const report = await shell(lines)(handoffOf(), running.signal);
  const result = Array.from({ length: 100 }, (_, index) => `line ${index + 51}`).join("\n");
  expect(report).toEqual({ result, isResultFallback: true });
  expect(await shell("echo aside >&2; echo")(handoffOf(), running.signal)).toBeUndefined();
});

test("a worker that takes longer than the limit is ended", async () => {
  const run = shell("sleep 600", { timeLimitSeconds: 0.05 })(handoffOf(), running.signal);
  await expect(run).rejects.toThrow(new Error("time limit of 0.05 s reached"));
});

test.runIf(process.platform === "linux")(
  "a worker that takes more memory than the limit fails, others do not",
  async () => {
    const memoryLimit = createMemoryLimit(2 ** 30);
    const allocate = (mebibytes: number) =>
      [process.execPath, "-e", `Buffer.alloc(${mebibytes} * 2 ** 20, 1)`] as const;
    await createCommandRunner({ ...base(), command: allocate(8), memoryLimit })(handoffOf(), running.signal);
    const tooMuch = createCommandRunner({ ...base(), command: allocate(1_024), memoryLimit })(
      handoffOf(),
      running.signal,
    );
    await expect(tooMuch).rejects.toThrow(/exit code|killed/);
  },
);

test("a worker is not even started once its signal has aborted", async () => {
  const run = shell(`touch ${folder}/started`)(handoffOf(), AbortSignal.abort(new Error("too late")));
  await expect(run).rejects.toThrow("too late");
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^work-/)]);
});
