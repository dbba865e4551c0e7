// Each of examples/executors/ as a process against a real API: takes a task, works on it, reports and finishes; or gives it back.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createFleet, createTask } from "@task-service/api/test/factories.ts";
import { startTestApp, type TestApp } from "@task-service/api/test/test-app.ts";
import type { Dispatch, Task } from "@task-service/contract";
import { executorClient } from "@task-service/dev/identity-accounts.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

const root = join(import.meta.dirname, "../..");
const example = (name: string): string => join(root, "examples/executors", name);
const main = join(root, "packages/executor/src/main.ts");
const prompt = 'Say "hello", twice,\nplease\\.';
const noTask = "00000000-0000-7000-8000-000000000000";
let app: TestApp;
let folder: string;
let task: Task;
let organization: string;

vi.setConfig({ testTimeout: 60_000 });
beforeAll(async () => {
  app = await startTestApp({ isBeating: true });
});
afterAll(() => app.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "executor-example-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const fleet = await createFleet(app, ["developer"]);
  organization = fleet.organization.slug;
  task = await createTask(app, fleet, { prompt });
});

const isThere = (command: string): boolean => spawnSync(command, ["--version"]).error === undefined;

/** Starts it in a process group, which ends with the test. */
const start = (command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  if (!isThere(command)) throw new Error(`${command} is not on this machine: this example cannot be tried`);
  const child = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      TMPDIR: folder,
      TASK_SERVICE_URL: app.baseUrl,
      OIDC_ISSUER: inject("issuer"),
      OIDC_CLIENT_ID: executorClient.id,
      OIDC_CLIENT_SECRET: executorClient.secret,
      ...environment,
    },
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)));
  const exited = once(child, "exit");
  onTestFinished(async () => {
    try {
      process.kill(-(child.pid ?? expect.fail()), "SIGKILL");
    } catch (error) {
      // Nobody of the group is left.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    await exited;
  });
  return { child, exited, printed };
};

/** The shipped executor with this worker. */
const startShipped = (worker: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  start(
    process.execPath,
    [main, "--organization", organization, "--name", organization, "--no-logs", "--", ...worker],
    environment,
  );

/** Resolves with the task when its first dispatch has ended like this. */
const ended = (printed: readonly string[], outcome: Dispatch["outcome"], reason: string | null = null): Promise<Task> =>
  vi.waitFor(
    async () => {
      const { items } = await app.client.listTaskDispatches({ params: { id: task.id } });
      expect(items.at(-1), printed.join("")).toMatchObject({ outcome, reason });
      return app.client.getTask({ params: { id: task.id } });
    },
    { timeout: 40_000, interval: 100 },
  );

describe.skipIf(!isThere("curl"))("shell.sh, where there is curl", () => {
  const check = `[ -z "\${OIDC_CLIENT_SECRET:-}" ] || exit 9; tr a-z A-Z; cat "$PERSONA_FILE"`;
  const startShell = (json: string, script: string) =>
    start("sh", [example("shell.sh"), "sh", "-c", script], {
      JSON: json,
      ORGANIZATION: organization,
      EXECUTOR_NAME: "shell-1",
    });

  test.for(["node", "jq"])("the prompt goes in, the output is the result; JSON by %s", async (json, { skip }) => {
    if (!isThere(json)) skip(`${json} is not on this machine: shell.sh goes on with node then, which is tried`);
    const { printed } = startShell(json, check);
    const { result, executor } = await ended(printed, "finished");
    expect(result).toContain('SAY "HELLO", TWICE,\nPLEASE\\.');
    expect(result).toContain("## Role");
    expect(executor).toBe("shell-1");
    expect(printed.join("")).not.toContain(executorClient.secret);
  });

  test("a command that fails gives the task back with its exit code", async () => {
    const { printed } = startShell("node", "exit 3");
    expect(await ended(printed, "released", "exit code 3")).toMatchObject({ result: null, state: "queued" });
  });

  test("stopped in the middle of a task, it gives it back and leaves nothing", async () => {
    const { child, exited, printed } = startShell("node", `: >"${folder}/begun"; sleep 600 & wait`);
    await vi.waitUntil(() => existsSync(join(folder, "begun")), 30_000);
    child.kill("SIGTERM");
    await ended(printed, "released", "the executor was stopped");
    await exited;
    expect(await readdir(folder)).toEqual(["begun"]);
  });
});

describe.skipIf(!isThere("python3"))("python_executor.py, where there is python3", () => {
  test("works on a task and reports its tokens", async () => {
    const { printed } = start("python3", ["-u", example("python_executor.py"), organization]);
    const { result, input_tokens, output_tokens } = await ended(printed, "finished");
    expect(result).toBe("developer has counted 4 words.");
    expect(input_tokens).toBeGreaterThan(output_tokens ?? expect.fail());
  });

  test("what the work raises gives the task back", async () => {
    const broken = `import sys; source = open(sys.argv.pop(1)).read()
exec(source.replace("    result,", "    raise ValueError('no model'); result,"))`;
    const { printed } = start("python3", ["-u", "-c", broken, example("python_executor.py"), organization]);
    await ended(printed, "released", "no model");
  });
});

describe("agent-cli.sh", () => {
  /** Answers in JSON with what it was given; without a file as system prompt it says what it read. */
  const fakeAgent = `const { readFileSync } = require("node:fs");
    const [, file] = process.argv;
    const read = readFileSync(0, "utf8");
    if (!file) { console.log("read:" + read); process.exit(); }
    const result = "system:" + readFileSync(file, "utf8") + "user:" + read;
    console.log(JSON.stringify({ type: "result", is_error: false, result,
      usage: { input_tokens: 7, cache_read_input_tokens: 100, output_tokens: 20 } }));`;
  const worker = (...args: string[]) => ["sh", example("agent-cli.sh"), process.execPath, "-e", fakeAgent, ...args];

  test("persona by placeholder, answer and tokens from its JSON", async () => {
    const { printed } = startShipped(worker("{persona_file}"));
    const { body } = await app.client.getAgentType({ params: { id: task.agent_type?.id ?? noTask } });
    expect(await ended(printed, "finished")).toMatchObject({
      result: `system:${body}user:${prompt}`,
      input_tokens: 107,
      output_tokens: 20,
    });
  });

  test("persona before the prompt, and a plain answer", async () => {
    const { printed } = startShipped(worker(), { PERSONA_IN_PROMPT: "1" });
    const { result, input_tokens } = await ended(printed, "finished");
    expect(result).toMatch(/^read:\s*## Role[\s\S]*# Your task\n\nSay "hello"/);
    expect(input_tokens).toBe(0);
  });

  test.each([
    { name: "fails", script: "echo no credit >&2; exit 4", reason: "exit code 4: no credit" },
    { name: "says so", script: `echo '{"is_error":true,"result":"no credit"}'`, reason: "exit code 1: no credit" },
  ])("an agent that $name gives the task back", async ({ script, reason }) => {
    const { printed } = startShipped(["sh", example("agent-cli.sh"), "sh", "-c", script]);
    await ended(printed, "released", reason);
  });
});

describe("chat-endpoint.mjs", () => {
  const answer = (content: string | null, finish_reason = "stop") => ({
    choices: [{ index: 0, finish_reason, message: { role: "assistant", content } }],
    usage: { prompt_tokens: 31, completion_tokens: 5, total_tokens: 36 },
  });

  const startModel = async (status: number, body: object) => {
    const asked: { path: string | undefined; key: string | undefined; question: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const question = JSON.parse(await text(request));
      asked.push({ path: request.url, key: request.headers.authorization, question });
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const environment = { CHAT_URL: url, CHAT_MODEL: "small-1", CHAT_API_KEY: "chat-key" };
    return { asked, ...startShipped([process.execPath, example("chat-endpoint.mjs")], environment) };
  };

  test("persona as system message, prompt as user message, usage as tokens", async () => {
    const { asked, printed } = await startModel(200, answer("Hello, hello."));
    expect(await ended(printed, "finished")).toMatchObject({
      result: "Hello, hello.",
      input_tokens: 31,
      output_tokens: 5,
    });
    const { body } = await app.client.getAgentType({ params: { id: task.agent_type?.id ?? noTask } });
    const messages = [
      { role: "system", content: body },
      { role: "user", content: prompt },
    ];
    expect(asked).toEqual([
      { path: "/v1/chat/completions", key: "Bearer chat-key", question: { model: "small-1", messages } },
    ]);
  });

  test.each([
    {
      name: "a refusal",
      status: 404,
      body: { error: "no such model" },
      reason: 'the model answered 404: {"error":"no such model"}',
    },
    { name: "an empty answer", status: 200, body: answer(null), reason: "the model answered without text" },
    { name: "half an answer", status: 200, body: answer("Hel", "length"), reason: "the model's answer was cut off" },
  ])("$name gives the task back", async ({ status, body, reason }) => {
    const { printed } = await startModel(status, body);
    expect((await ended(printed, "released", `exit code 1: ${reason}`)).result).toBeNull();
  });
});
