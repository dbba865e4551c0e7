// Agents that cooperate: a planner, developers and a reviewer, all workers of one shipped executor, know each other by the queue alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Task } from "@task-service/contract";
import { executorClient } from "@task-service/dev/identity-accounts.ts";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { confirmDevice } from "../../apps/cli/test/sign-in-browser.ts";
import { type Service, startService } from "./replicas.ts";
import { newName } from "./scenario-stage.ts";

const cliFile = join(import.meta.dirname, "../../apps/cli/src/main.ts");
const workerFile = join(import.meta.dirname, "cooperation-worker.ts");
const soon = { timeout: 45_000, interval: 100 };
let service: Service;
let origin: string;

beforeAll(async () => {
  service = await startService({ replicas: 1, isTest: true });
  origin = service.replicas[0]?.origin ?? "";
}, 60_000);
afterAll(() => service.stop(), 60_000);

/** Alice, who wants something, is somebody else than the executor. */
const clientOfAlice = async () => {
  const ask = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: "task-service-cli", ...fields });
    return (await fetch(`${service.issuer}${path}`, { method: "POST", body })).json() as Promise<
      Record<string, string>
    >;
  };
  const { device_code = "", user_code = "" } = await ask("/device/auth", { scope: "openid" });
  await confirmDevice(service.issuer, user_code, "alice");
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const { access_token = "" } = await ask("/token", { grant_type, device_code });
  return createClient({ baseUrl: `${origin}/api`, token: async () => access_token });
};

/** `task-service run` with three slots. Its output, and its exit code once it was told to drain. */
const startExecutor = async (name: string, organization: string) => {
  const folder = await mkdtemp(join(tmpdir(), "cooperation-"));
  const kept = ["--work-dir", folder, "--no-logs", "--time-limit", "20s"];
  const options = ["--slots", "3", "--name", name, "--organization", organization, ...kept];
  const child = spawn(process.execPath, [cliFile, "run", ...options, "--", process.execPath, workerFile], {
    env: {
      PATH: process.env["PATH"],
      TASK_SERVICE_URL: `${origin}/api`,
      OIDC_ISSUER: service.issuer,
      OIDC_CLIENT_ID: executorClient.id,
      OIDC_CLIENT_SECRET: executorClient.secret,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exit;
    await rm(folder, { recursive: true, force: true });
  });
  const drain = async (): Promise<unknown> => {
    child.kill("SIGTERM");
    const [code] = await exit;
    return code;
  };
  return { output: () => output, drain };
};

/** A line for each task, indented by its depth, below what it follows up on; follow-ups in the order of their prompts. */
const outline = (tasks: readonly Task[], parent: string | null = null): string[] =>
  tasks
    .filter(({ parent_id }) => parent_id === parent)
    .toSorted((one, other) => one.prompt.localeCompare(other.prompt))
    .flatMap((task) => [
      `${"  ".repeat(task.depth)}${task.agent_type?.slug}: ${task.prompt} -> ${task.result}`,
      ...outline(tasks, task.id),
    ]);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

test("A planner, two developers and a reviewer bring a task to its end, and every number is right", async () => {
  const personas = ["planner", "developer", "reviewer"];
  const { organization } = await service.createFleet("studio", personas);
  const alice = await clientOfAlice();
  const name = newName();
  const executor = await startExecutor(name, organization);
  const root = await alice.createTask({
    body: { prompt: "Plan the site", assignee_type: "agent", assignee: `${organization}/planner` },
  });
  const ofTree = { root_id: root.id };
  const listTree = async () => (await alice.listTasks({ query: { ...ofTree, limit: 200 } })).items;

  await vi.waitFor(async () => {
    const tree = await listTree();
    expect(tree.filter((task) => task.dispatch_ended_at !== null).length, executor.output()).toBe(7);
  }, soon);
  expect(await executor.drain()).toBe(0);

  const tasks = await Promise.all((await listTree()).map(({ id }) => alice.getTask({ params: { id } })));
  expect(outline(tasks)).toEqual([
    "planner: Plan the site -> Write the page; Write the form and its test",
    "  developer: Write the form and its test -> Done: Write the form and its test",
    "    reviewer: Review: Write the form and its test -> Content",
    "  developer: Write the page -> Done: Write the page",
    "    reviewer: Review: Write the page -> Not content",
    "      developer: Improve the page -> Done: Improve the page: Add a test",
    "        reviewer: Review: Improve the page -> Content",
  ]);
  expect(await alice.countTasks({ query: { ...ofTree, state: "queued" } })).toEqual({ count: 0, exact: true });
  expect(await alice.countTasks({ query: { ...ofTree, live: true } })).toEqual({ count: 0, exact: true });
  // Nobody left a task beside the tree, and the executor has nothing in hand.
  expect(await alice.countTasks({ query: { organization: [organization] } })).toEqual({ count: 7, exact: true });
  await vi.waitFor(async () => {
    const seen = (await alice.listExecutors()).items.filter((one) => one.executor === name);
    const actor = { sub: executorClient.id };
    expect(seen).toMatchObject([{ live_dispatches: 0, is_waiting: false, actor }]);
  }, soon);

  for (const task of tasks) {
    const { id, prompt, result } = task;
    const tokens = { input_tokens: prompt.length, output_tokens: result?.length };
    const creator = id === root.id ? "alice" : executorClient.id;
    expect(task).toMatchObject({ ...ofTree, ...tokens, created_by: { sub: creator }, dispatch_count: 1 });
    const dispatches = await alice.listTaskDispatches({ params: { id } });
    const actor = { sub: executorClient.id };
    const finished = { executor: name, actor, attempt: 1, outcome: "finished", ...tokens };
    expect(dispatches).toMatchObject({ items: [finished] });
    const events = (await alice.listTaskEvents({ params: { id }, query: { limit: 200 } })).items;
    const ways = events.map(({ type }) => type).filter((type) => !["task.updated", "task.noted"].includes(type));
    expect(ways).toEqual(["task.finished", "task.dispatched", "task.created"]);
    const parent = tasks.find((one) => one.id === task.parent_id);
    expect(task.depth).toBe(parent ? parent.depth + 1 : 0);
    // Whoever follows up was created while what it follows up on was worked on.
    if (parent)
      expect([parent.dispatched_at, task.created_at, parent.dispatch_ended_at].toSorted()).toEqual([
        parent.dispatched_at,
        task.created_at,
        parent.dispatch_ended_at,
      ]);
    const notes = await alice.listNotes({ params: { id } });
    const note = { text: "Add a test", dispatch_id: task.current_dispatch_id, actor };
    expect(notes).toMatchObject({ items: result === "Not content" ? [note] : [] });
  }

  // Folded out of the history within seconds.
  await vi.waitFor(async () => {
    const usage = await alice.getStatsUsage({ query: { group_by: "root" } });
    const used = {
      dispatches: 7,
      input_tokens: sum(tasks.map(({ prompt }) => prompt.length)),
      output_tokens: sum(tasks.map(({ result }) => result?.length ?? 0)),
    };
    expect(usage).toEqual({ items: [{ key: root.id, label: "Plan the site", ...used }], total: used });
  }, soon);
}, 60_000);
