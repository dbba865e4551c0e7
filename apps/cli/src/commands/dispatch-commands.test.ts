// next, finish, release, respond and run against a real API; what signals end as processes.
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Handoff } from "@task-service/contract";
import { executorFlags } from "@task-service/executor";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFleet, createTask, personaFile } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli } from "../../test/cli-call.ts";
import { startCli, temporaryFolder } from "../../test/cli-process.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ isBeating: true });
});

afterAll(() => app.close());

const signedIn = () => ({ TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token });
const read = (id: string) => app.client.getTask({ params: { id } });

/** An organization with one task for its developer. */
const taskFor = async (prompt = "Write it") => {
  const fleet = await createFleet(app);
  const task = await createTask(app, fleet, { prompt });
  return { fleet, task, agent: `${fleet.organization.slug}/developer`, organization: fleet.organization.slug };
};

describe("next", () => {
  test("--json prints the hand-over; finish and release end it", async () => {
    const { task, agent } = await taskFor();
    const take = () => callCli(["next", "-a", agent, "--lease", "600", "--json"], signedIn());
    const handoff = JSON.parse((await take()).out) as Handoff;
    expect(handoff.task.id).toBe(task.id);
    expect(handoff.dispatch).toMatchObject({ lease_seconds: 600, executor: "executor" });
    expect((await callCli(["release", handoff.dispatch.id, "-r", "not now"], signedIn())).code).toBe(0);
    expect((await read(task.id)).state).toBe("queued");
    const again = JSON.parse((await take()).out) as Handoff;
    expect(again.notes.at(-1)?.text).toContain("not now");
    const finished = await callCli(["finish", "--json"], { ...signedIn(), DISPATCH_ID: again.dispatch.id });
    expect(JSON.parse(finished.out)).toMatchObject({ id: again.dispatch.id, outcome: "finished" });
  });

  test("prints prompt and persona for people, and null or a sentence when there is nothing", async () => {
    const { agent, organization } = await taskFor("Write\nthe page");
    const { out } = await callCli(["next", "-a", agent], signedIn());
    expect(out).toContain("Write\nthe page");
    expect(out).toContain("Of developer.");
    expect(await callCli(["next", "-o", organization, "--json"], signedIn())).toMatchObject({ code: 0, out: "null\n" });
    expect(await callCli(["next", "-o", organization], signedIn())).toMatchObject({ error: "Nothing to take.\n" });
  });

  test("waits, and Ctrl-C ends the waiting", async () => {
    const fleet = await createFleet(app);
    const organization = fleet.organization.slug;
    const wait = (executor: string) =>
      startCli(["next", "-o", organization, "--executor", executor, "--wait", "300", "--json"], signedIn());
    const waiting = wait("waiting");
    await untilWaiting("waiting");
    const task = await createTask(app, fleet);
    expect(JSON.parse((await waiting.ended).out)).toMatchObject({ task: { id: task.id } });
    const stopped = wait("stopped");
    await untilWaiting("stopped");
    stopped.child.kill("SIGINT");
    expect(await stopped.ended).toMatchObject({ code: 0, out: "null\n" });
  });
});

const untilWaiting = (executor: string) =>
  vi.waitFor(async () => {
    const { items } = await app.client.listExecutors();
    expect(items.find((one) => one.executor === executor)?.is_waiting).toBe(true);
  }, 40_000);

describe("respond", () => {
  test("gives the task back when the editor cannot be used", async () => {
    const { task, agent } = await taskFor();
    expect((await callCli(["respond", "-a", agent, "-w", "0", "-e"], signedIn())).code).toBe(2);
    expect((await read(task.id)).state).toBe("queued");
  });

  test("shows prompt and persona, takes lines up to a dot, sets the result and finishes", async () => {
    const { task, agent } = await taskFor("What is the answer?");
    const { code, out } = await callCli(["respond", "-a", agent, "-w", "0"], signedIn(), "It is\n\n42.\n.\nnot this\n");
    expect([code, out]).toEqual([0, expect.stringMatching(/What is the answer\?[\s\S]*Finished/)]);
    expect(out).toContain(personaFile("developer").split("\n").at(-2));
    expect(await read(task.id)).toMatchObject({
      result: "It is\n\n42.",
      state: "dispatched",
      dispatch_ended_at: expect.any(String),
    });
  });

  test.each([
    ["/release", "Half of it\n/release the tests are red\n", "the tests are red"],
    ["no text at all", "", "no result was written"],
  ])("%s gives the task back with a reason", async (_, input, reason) => {
    const { task, agent } = await taskFor();
    const { code, out } = await callCli(["respond", "-a", agent, "-w", "0"], signedIn(), input);
    expect([code, out]).toEqual([0, expect.stringContaining(`Gave ${task.id} back.`)]);
    expect(await read(task.id)).toMatchObject({ state: "queued", result: null });
    const { items } = await app.client.listNotes({ params: { id: task.id } });
    expect(items[0]?.text).toContain(reason);
  });

  test("/release keeps what was written above it", async () => {
    const { agent } = await taskFor();
    const input = "Half of it\n/release the tests are red\n";
    const { error } = await callCli(["respond", "-a", agent, "-w", "0"], signedIn(), input);
    const [, file = ""] = /What you wrote is kept in (\S+)/.exec(error) ?? [];
    expect(await readFile(file, "utf8")).toBe("Half of it");
    expect(file, "where the test has its temporary files").toContain("cli-test-");
  });

  test("what an editor left that failed is kept", async () => {
    const { task, agent } = await taskFor();
    const environment = { ...signedIn(), EDITOR: 'f() { echo "Half of it" > "$1"; return 3; }; f' };
    const { code, error } = await callCli(["respond", "-a", agent, "-w", "0", "-e"], environment);
    const [, file = ""] = /What you wrote is kept in (\S+?)\.?\n/.exec(error) ?? [];
    expect([code, await readFile(file, "utf8")]).toEqual([2, "Half of it\n"]);
    expect((await read(task.id)).state).toBe("queued");
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s gives the task back", async (signal) => {
    const { task, agent } = await taskFor();
    const { child, says, ended } = startCli(["respond", "-a", agent], signedIn());
    await says(/\/release REASON/);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining("back") });
    expect((await read(task.id)).state).toBe("queued");
  });

  test("--editor takes what the editor leaves", async () => {
    const { task, agent } = await taskFor();
    const editor = join(await temporaryFolder(), "my editor");
    await writeFile(editor, '#!/bin/sh\necho "From $1" | sed "s/ .*/ an editor/" > "$2"\n');
    await chmod(editor, 0o755);
    const environment = { ...signedIn(), EDITOR: `"${editor}" x` };
    expect((await callCli(["respond", "-a", agent, "-w", "0", "-e"], environment)).code).toBe(0);
    expect((await read(task.id)).result).toBe("From an editor");
  });

  test("a result for a task that somebody took away is kept in a file, not lost", async () => {
    const { task, agent } = await taskFor();
    const { child, says, ended } = startCli(["respond", "-a", agent], signedIn());
    await says(/\/release REASON/);
    await app.client.requeueTask({ params: { id: task.id } });
    child.stdin.end("My work\n.\n");
    expect(await ended).toMatchObject({ code: 1, error: expect.stringMatching(/kept in .*task-service-result-/) });
    expect((await read(task.id)).result).toBeNull();
  });
});

test.for(["TASK_SERVICE_TOKEN", "TASK_SERVICE_TOKEN_FILE"])(
  "run starts a command for each task, with what commander might take for its own, with a token from %s",
  async (setting) => {
    const { task, agent } = await taskFor();
    const folder = await temporaryFolder();
    const worker = ["sh", "-c", 'test "$1" = --json && test -s "$TASK_SERVICE_TOKEN_FILE" && echo ran', "sh", "--json"];
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, app.token);
    const { child, ended } = startCli(
      ["run", "--name", "cli-run", "-a", agent, "--work-dir", folder, "--no-logs", "--", ...worker],
      { TASK_SERVICE_URL: app.baseUrl, [setting]: setting.endsWith("_FILE") ? tokenFile : app.token },
    );
    await vi.waitFor(async () => expect((await read(task.id)).dispatch_ended_at).not.toBeNull(), 40_000);
    child.kill("SIGTERM");
    const { code, out } = await ended;
    expect([code, out]).toEqual([0, expect.stringContaining("ran")]);
    expect(await read(task.id)).toMatchObject({ state: "dispatched", executor: "cli-run" });
  },
);

test("run ends with 75 while another process has the name, as the executor does", async () => {
  const { organization } = await taskFor();
  const start = () => startCli(["run", "--name", "taken", "-o", organization, "--no-logs", "--", "false"], signedIn());
  const first = start();
  await first.says(/executor taken: takes/);
  expect(await start().ended).toMatchObject({ code: 75, error: expect.stringContaining("taken already") });
  first.child.kill("SIGTERM");
  await first.ended;
});

test("run has every option of the executor", async () => {
  const { out } = await callCli(["run", "--help"], {});
  for (const name of Object.keys(executorFlags)) expect(out).toContain(`--${name}`);
  expect(await callCli(["run", "--lease", "1s", "--", "true"], signedIn())).toMatchObject({
    code: 2,
    error: expect.stringContaining("--lease"),
  });
});

test("run without a command, or with a slot too many, is wrong use", async () => {
  expect((await callCli(["run"], signedIn())).code).toBe(2);
  expect(await callCli(["run", "--slots", "101", "--", "true"], signedIn())).toMatchObject({
    code: 2,
    error: expect.stringContaining("--slots"),
  });
});
