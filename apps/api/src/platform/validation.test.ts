// What is refused before a route sees it: ids in another form than answers have, too little, too much.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const post = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });

describe("an id written as a URN is 400 and named", () => {
  const id = "019aa7d0-0000-7000-8000-000000000000";
  const urn = `urn:uuid:${id}`;

  test.each<[pointer: string, path: string, init?: RequestInit]>([
    ["?id", `/tasks/${urn}`],
    ["?id", `/tasks/${urn}`, { method: "DELETE" }],
    ["?parent_id", `/tasks?parent_id=${urn}`],
    ["/parent_id", "/tasks", post({ prompt: "x", assignee_type: null, assignee: null, parent_id: urn })],
    ["/dispatch_id", `/tasks/${id}`, { method: "PATCH", body: JSON.stringify({ dispatch_id: urn }) }],
    ["/ids/1", "/tasks/batch", post({ ids: [id, urn], delete: true })],
    ["/holding/0", "/capacity", post({ executor: "e", slots: 0, holding: [urn] })],
    ["/finished/0", "/capacity", post({ executor: "e", slots: 0, finished: [urn] })],
  ])("%s in %s", async (pointer, path, init) => {
    expect(await app.problem(path, init)).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
  });

  test("but the plain one is taken in either case", async () => {
    const { task, dispatch } = await createHandoff(app);
    const { id: parent } = await createTask(app, fleet);
    await app.client.updateTask({
      params: { id: task.id.toUpperCase() },
      body: { title: "Heard", dispatch_id: dispatch.id.toUpperCase() },
    });
    expect(await createTask(app, fleet, { parent_id: parent.toUpperCase() })).toMatchObject({ parent_id: parent });
  });
});

test.each<[detail: string, path: string, body: unknown]>([
  ["must not be empty", "/tasks", { prompt: "" }],
  ["must have at most 200 characters", "/tasks", { prompt: "x", title: "x".repeat(201) }],
  ["must not be empty", "/tasks/batch", { ids: [], delete: true }],
  ["must have at most 20 items", "/tasks", { prompt: "x", labels: Array.from({ length: 21 }, (_, n) => `${n}`) }],
  ["must not name anything twice: items 0 and 1 are the same", "/tasks", { prompt: "x", labels: ["a", "a"] }],
])("what is too little or too much is said in words: %s", async (detail, path, body) => {
  expect(await app.problem(path, post(body))).toMatchObject({ code: "invalid_request", errors: [{ detail }] });
});
