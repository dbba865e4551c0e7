// create, list, show, update, note and requeue against a real API.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Task, TaskSummary } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli, startCall } from "../../test/cli-call.ts";
import { runCli, temporaryFolder } from "../../test/cli-process.ts";

let app: TestApp;
let fleet: Fleet;
let slug: string;

beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
  slug = fleet.organization.slug;
});

afterAll(() => app.close());

const signedIn = () => ({ TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token });
const cli = (...args: string[]) => callCli(args, signedIn());
const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await cli(...args, "--json")).out) as T;
const read = (id: string) => app.client.getTask({ params: { id } });

describe("create", () => {
  test("--json prints exactly the task of the API", async () => {
    const created = await json<Task>(
      "create",
      "-a",
      `${slug}/developer`,
      "-p",
      "urgent",
      "-l",
      "a",
      "-l",
      "b",
      "Fix",
      "it",
    );
    expect(created).toMatchObject({ prompt: "Fix it", priority: 100, labels: ["a", "b"], state: "queued" });
    expect(await read(created.id)).toEqual(created);
  });

  test("takes the prompt from a file and from standard input, byte for byte", async () => {
    const file = join(await temporaryFolder(), "prompt.md");
    await writeFile(file, "  # From a file\n\nwith ☃\n");
    expect(await json<Task>("create", "-o", slug, "-u", "bob", "-f", file)).toMatchObject({
      prompt: "  # From a file\n\nwith ☃\n",
      assignee_type: "user",
      assignee: "bob",
    });
    const { out } = await callCli(["create", "-o", slug, "--json"], signedIn(), "Piped\n");
    expect(JSON.parse(out)).toMatchObject({ prompt: "Piped\n", assignee: null });
  });

  test("takes the prompt from the editor when there is a terminal only, else an empty one is refused by field", async () => {
    const { code, error } = await callCli(["create", "-a", `${slug}/developer`], signedIn(), "");
    expect([code, error]).toEqual([1, expect.stringMatching(/prompt/)]);
  });

  test("keeps what was written in the editor when the service refuses the task", async () => {
    const environment = { ...signedIn(), EDITOR: 'f() { echo "A long prompt" > "$1"; }; f' };
    const { stdin, ended } = startCall(["create", "-o", "no-such-organization"], environment);
    Object.assign(stdin, { isTTY: true });
    const { code, error } = await ended;
    const [, file = ""] = /What you wrote is kept in (\S+)/.exec(error) ?? [];
    expect([code, await readFile(file, "utf8")]).toEqual([1, "A long prompt\n"]);
  });

  test("knows an agent type by id, by path, and by a slug that is unique", async () => {
    const own = await createFleet(app, ["only-here", "developer"]);
    const { id } = own.agentTypes["only-here"] ?? { id: "" };
    for (const name of [id, `${own.organization.slug}/only-here`, "only-here"]) {
      expect(await json<Task>("create", "-a", name, "x")).toMatchObject({ assignee: id });
    }
    const ambiguous = await cli("create", "-a", "developer", "x");
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.error).toMatch(new RegExp(`Several organizations .*${slug}/developer`));
    expect(await cli("create", "-a", "nobody-like-that", "x")).toEqual({
      code: 1,
      out: "",
      error: "There is no agent type nobody-like-that.\n",
    });
  });

  test("inside a worker follows up on its task, unless told otherwise", async () => {
    const parent = await createTask(app, fleet);
    const inside = { ...signedIn(), TASK_ID: parent.id };
    const create = async (...args: string[]) =>
      JSON.parse((await callCli(["create", "-o", slug, "--json", ...args, "x"], inside)).out) as Task;
    expect((await create()).parent_id).toBe(parent.id);
    expect((await create("--no-parent")).parent_id).toBeNull();
  });

  test("--key creates once", async () => {
    const [one, other] = [
      await json<Task>("create", "-o", slug, "--key", "k1", "x"),
      await json<Task>("create", "-o", slug, "--key", "k1", "x"),
    ];
    expect(other.id).toBe(one.id);
  });
});

describe("list", () => {
  test("--json prints exactly the page of the API, by filters and order", async () => {
    const own = await createFleet(app);
    const label = own.organization.slug;
    const [low] = [await createTask(app, own, { labels: [label], priority: -5, title: "low" })];
    const high = await createTask(app, own, { labels: [label], priority: 5, title: "high" });
    const page = await json<{ items: TaskSummary[]; next_cursor: null }>("list", "--queue", "-a", `${label}/developer`);
    expect(page).toEqual(await app.client.listTasks({ query: { sort: "queue", organization: [label] } }));
    expect(page.items.map(({ id }) => id)).toEqual([high.id, low?.id]);
    const limited = await json<{ items: TaskSummary[]; next_cursor: string }>("list", "-l", label, "-n", "1");
    const rest = await json<{ items: TaskSummary[] }>("list", "-l", label, "-n", "1", "--cursor", limited.next_cursor);
    expect([limited.items[0]?.id, rest.items[0]?.id]).toEqual([high.id, low?.id]);
  });

  test("prints a table without colours to a pipe, whose text cannot steer the terminal", async () => {
    await createTask(app, fleet, { title: "evil \u001b[31mred\u001b[0m\u202e", labels: ["evil"] });
    const { out } = await cli("list", "-l", "evil");
    expect(out).toMatch(/^ID +STATE +PRIORITY +FOR +TITLE\n/);
    expect(out).toContain(`${slug}/developer`);
    expect(out).toContain("evil \\u{1b}[31mred");
    for (const control of ["\u001b", "\u202e"]) expect(out).not.toContain(control);
    const coloured = await runCli(["list", "-l", "evil"], { ...signedIn(), FORCE_COLOR: "1" });
    expect(coloured.out).toContain("\u001b[33mqueued");
  });

  test("without a task says so on standard error", async () => {
    expect(await cli("list", "-l", "nothing-has-it")).toEqual({ code: 0, out: "", error: "No tasks.\n" });
  });
});

test("show prints the task whole, where it stands and its notes; --json what the API has", async () => {
  const task = await createTask(app, fleet, { prompt: "Line one\nline two" });
  await app.client.createNote({ params: { id: task.id }, body: { text: "the database is back" } });
  const { out } = await cli("show", task.id);
  for (const part of [task.id, "in the queue", "Line one\nline two", "Note by executor", "the database is back"]) {
    expect(out).toContain(part);
  }
  expect(await json("show", task.id)).toEqual(await read(task.id));
});

describe("update", () => {
  test("changes what was given and nothing else", async () => {
    const { id } = await createTask(app, fleet, { labels: ["old"], title: "Stays" });
    const updated = await json<Task>("update", id, "-p", "-5", "--no-labels", "-a", `${slug}/reviewer`, "-r", "done");
    expect(updated).toMatchObject({ priority: -5, labels: [], result: "done", title: "Stays" });
    expect(updated.agent_type?.slug).toBe("reviewer");
    expect(await json("update", id, "--nobody")).toMatchObject({
      assignee_type: null,
      assignee: null,
      agent_type: null,
    });
  });

  test("takes away what can be without: assignee, labels, link and result", async () => {
    const git_link = `${inject("gitUrl")}/acme/web-shop/issues/412`;
    for (const nobody of ["--nobody", "--no-assignee"]) {
      const { id } = await createTask(app, fleet, { labels: ["old"], git_link });
      await app.client.updateTask({ params: { id }, body: { result: "half" } });
      const emptied = await json<Task>("update", id, nobody, "--no-labels", "--no-git-link", "--no-result");
      expect(emptied).toMatchObject({ assignee: null, labels: [], git_link: null, result: null });
      expect((await cli("update", id, nobody, "-u", "bob")).code).toBe(2);
      expect((await cli("update", id, "--no-result", "--result-file", "x")).code).toBe(2);
    }
  });

  test("inside a worker means its own task, and is refused once somebody else has it", async () => {
    const { task, dispatch } = await createHandoff(app);
    const inside = { ...signedIn(), TASK_ID: task.id, DISPATCH_ID: dispatch.id };
    const report = ["update", "--input-tokens", "12", "--output-tokens", "3"];
    expect((await callCli(report, inside)).code).toBe(0);
    expect(await read(task.id)).toMatchObject({ input_tokens: 12, output_tokens: 3 });
    await app.client.requeueTask({ params: { id: task.id } });
    expect(await callCli(report, inside)).toMatchObject({ code: 1, error: expect.stringMatching(/dispatch/i) });
  });

  test("--if-version is refused when the task has changed", async () => {
    const { id, version } = await createTask(app, fleet);
    expect((await cli("update", id, "-t", "new", "--if-version", String(version))).code).toBe(0);
    expect((await cli("update", id, "-t", "newer", "--if-version", String(version))).code).toBe(1);
    expect((await read(id)).title).toBe("new");
  });

  test("without a change or a task is wrong use", async () => {
    expect((await cli("update", "0199aa10-7c4e-7b6e-9d0a-3f2a51d8c001")).code).toBe(2);
    expect((await cli("update", "-t", "x")).code).toBe(2);
  });
});

test("an id that is cut is wrong use, and the sentence says that all of it is needed", async () => {
  for (const command of ["show", "requeue", "note", "finish", "release"]) {
    expect(await cli(command, "0199aa10")).toMatchObject({ code: 2, error: expect.stringMatching(/0199aa10 .*36/) });
  }
  expect((await cli("update", "0199aa10", "-t", "x")).code).toBe(2);
});

test("note leaves and lists notes, inside a worker with its dispatch", async () => {
  const { task, dispatch } = await createHandoff(app);
  const inside = { ...signedIn(), TASK_ID: task.id, DISPATCH_ID: dispatch.id };
  expect((await callCli(["note", ".", "half", "done"], inside)).code).toBe(0);
  expect((await callCli(["note", task.id], signedIn(), "piped in\n")).code).toBe(0);
  const page = await json<{ items: { text: string; dispatch_id: string | null }[] }>("note", task.id, "--list");
  expect(page.items.map(({ text, dispatch_id }) => [text, dispatch_id])).toEqual([
    ["piped in\n", null],
    ["half done", dispatch.id],
  ]);
});

test("requeue returns a task with its reason, and refuses one that is queued", async () => {
  const { task } = await createHandoff(app);
  expect(await json("requeue", task.id, "--reason", "more to do")).toMatchObject({ id: task.id, state: "queued" });
  const { items } = await app.client.listNotes({ params: { id: task.id } });
  expect(items[0]?.text).toContain("more to do");
  expect(await cli("requeue", task.id)).toMatchObject({ code: 1, out: "" });
});
