// watch as a process: live, over a lost connection, and to an end.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTask } from "../../../api/test/factories.ts";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli } from "../../test/cli-call.ts";
import { startCli } from "../../test/cli-process.ts";
import { openDoor } from "../../test/service-door.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const signedIn = () => ({ TASK_SERVICE_URL: app.baseUrl, TASK_SERVICE_TOKEN: app.token });

test("prints what happens from an event on, and Ctrl-C ends it with 0", async () => {
  const fleet = await createFleet(app);
  const organization = fleet.organization.slug;
  const { items } = await app.client.listEvents({ query: { limit: 1 } });
  const after = items[0]?.id ?? "";
  const first = await createTask(app, fleet, { title: "Before it looked" });
  const { child, says, ended } = startCli(["watch", "-o", organization, "--after", after], signedIn());
  await says(/task\.created .*Before it looked/);
  const second = await createTask(app, fleet, { title: "While it looks \u001b[2J" });
  await says(new RegExp(`${second.id} executor: While it looks \\\\u\\{1b\\}`));
  await app.client.updateTask({ params: { id: first.id }, body: { priority: 7 } });
  await says(/task\.updated .*priority/);
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
});

test("goes on over a service that was away, without a gap, and tells nothing twice", async () => {
  const fleet = await createFleet(app);
  const door = await openDoor(app.baseUrl);
  const { items } = await app.client.listEvents({ query: { limit: 1 } });
  const first = await createTask(app, fleet);
  const filters = ["-o", fleet.organization.slug, "--type", "task.created", "--after", items[0]?.id ?? ""];
  const { child, says, printed, ended } = startCli(["watch", ...filters], {
    ...signedIn(),
    TASK_SERVICE_URL: door.url,
  });
  await says(new RegExp(first.id));
  await door.shut();
  const second = await createTask(app, fleet);
  await door.open();
  await says(new RegExp(second.id));
  const third = await createTask(app, fleet);
  await says(new RegExp(third.id));
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
  expect(printed.out.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g)).toEqual([first.id, second.id, third.id]);
});

test("--json prints a line for each event, as the API has it, of the types asked for", async () => {
  const fleet = await createFleet(app);
  const { items } = await app.client.listEvents({ query: { limit: 1 } });
  const task = await createTask(app, fleet);
  await app.client.updateTask({ params: { id: task.id }, body: { priority: 7 } });
  await app.client.createNote({ params: { id: task.id }, body: { text: "a note" } });
  const filters = ["--task", task.id, "--type", "task.created", "--type", "task.noted"];
  const { child, says, printed, ended } = startCli(
    ["watch", "--json", "--after", items[0]?.id ?? "", ...filters],
    signedIn(),
  );
  await says(/task\.noted/);
  child.kill("SIGTERM");
  await ended;
  const history = await app.client.listTaskEvents({ params: { id: task.id } });
  const expected = history.items.filter(({ type }) => type !== "task.updated").toReversed();
  expect(
    printed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(expected);
});

test("what cannot pass is said: a filter that matches nothing, a type that is none, a token that is refused", async () => {
  expect(await callCli(["watch", "-o", "nobody-here"], signedIn())).toMatchObject({ code: 1, out: "" });
  expect((await callCli(["watch", "--type", "task.eaten"], signedIn())).code).toBe(2);
  expect((await callCli(["watch"], { ...signedIn(), TASK_SERVICE_TOKEN: "no" })).code).toBe(3);
});
