// POST /tasks/batch (D-39): one change to many tasks, each by its own guard, told in the order of the ids.
import { randomUUID } from "node:crypto";
import type { TaskBatch } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createHandoff, createTask, createTasks, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const change = async (ids: string[], body: Omit<TaskBatch, "ids">) =>
  (await app.client.changeTasks({ body: { ids, ...body } })).items;
const outcomesOf = async (ids: string[], body: Omit<TaskBatch, "ids">) =>
  (await change(ids, body)).map(({ status, problem }) => problem?.code ?? status);
const read = (id: string) => app.client.getTask({ params: { id } });
const typesOf = async (id: string) =>
  (await app.client.listTaskEvents({ params: { id } })).items.map(({ type }) => type);

describe("POST /tasks/batch", () => {
  test("patches each: the changed, those that stay, and the refused, in the order of the ids", async () => {
    const { task: live } = await createHandoff(app);
    const [same, changed] = [await createTask(app, fleet, { prompt: "New" }), await createTask(app, fleet)];
    const nobodys = randomUUID();
    const items = await change([changed.id, live.id, nobodys, same.id], { patch: { prompt: "New" } });
    expect(items).toEqual([
      { id: changed.id, status: 200 },
      { id: live.id, status: 409, problem: expect.objectContaining({ code: "already_dispatched", status: 409 }) },
      {
        id: nobodys,
        status: 404,
        problem: expect.objectContaining({ code: "not_found", request_id: expect.any(String) }),
      },
      { id: same.id, status: 200 },
    ]);
    expect([(await read(changed.id)).version, (await read(same.id)).version]).toEqual([2, 1]);
  });

  test("requeues each, with the reason as a note", async () => {
    const [one, two] = [await createHandoff(app), await createHandoff(app)];
    const queued = await createTask(app, fleet);
    const ids = [one.task.id, queued.id, two.task.id];
    expect(await outcomesOf(ids, { requeue: { reason: "Once more" } })).toEqual([200, "already_queued", 200]);
    for (const { task } of [one, two]) {
      expect(await read(task.id)).toMatchObject({ state: "queued", version: 3 });
      const { items } = await app.client.listNotes({ params: { id: task.id } });
      expect(items).toMatchObject([{ text: "Once more" }]);
    }
  });

  test("deletes each: 204, and 404 for what is gone", async () => {
    const { task, dispatch } = await createHandoff(app);
    const ids = [task.id, (await createTask(app, fleet)).id];
    expect(await outcomesOf(ids, { delete: true })).toEqual([204, 204]);
    expect(await outcomesOf(ids, { delete: true })).toEqual(["not_found", "not_found"]);
    await expect(app.client.heartbeatDispatch({ params: { id: dispatch.id } })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("takes 500, and every change has its event", async () => {
    const tasks = await createTasks(app, fleet, 500);
    const ids = tasks.map(({ id }) => id);
    const items = await change(ids, { patch: { labels: ["sorted"], priority: 7 } });
    expect(items).toEqual(ids.map((id) => ({ id, status: 200 })));
    expect(await typesOf(ids[499] ?? "")).toEqual(["task.updated", "task.created"]);
    expect(new Set(await outcomesOf(ids, { delete: true }))).toEqual(new Set([204]));
  });

  test("waits for one that is locked, or tells that it is, and does the others", async () => {
    const [locked, free] = [await createTask(app, fleet), await createTask(app, fleet)];
    const items = await app.sql.begin(async (transaction) => {
      await transaction`select from tasks where id = ${locked.id} for update`;
      const outcomes = change([locked.id, free.id], { patch: { title: "Changed" } });
      await untilBlocked(app);
      return await outcomes;
    });
    expect(items).toMatchObject([{ status: 503, problem: { code: "database_unavailable" } }, { status: 200 }]);
    expect(await read(locked.id)).toEqual(locked);
  });

  test("names what of the patch a task does not take", async () => {
    const { id } = await createTask(app, fleet);
    const [item] = await change([id], { patch: { git_link: "https://elsewhere.example/a/b/issues/1" } });
    expect(item).toMatchObject({ status: 400, problem: refusal("invalid_request", "/patch/git_link").problem });
    expect(item?.problem?.detail).toMatch(/^patch: git_link: /);
  });

  test.each<[string[], Record<string, unknown>]>([
    [["/patch", "/requeue", "/delete"], {}],
    [["/patch", "/delete"], { patch: { priority: 1 }, delete: true }],
    [["/requeue", "/delete"], { requeue: {}, delete: true }],
  ])("is 400 unless exactly one change is asked for, naming %s: %j", async (pointers, body) => {
    const { id } = await createTask(app, fleet);
    await expect(change([id], body)).rejects.toMatchObject(refusal("invalid_request", ...pointers));
    expect((await read(id)).version).toBe(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ["/delete", { delete: false }],
    ["/patch/priorty", { patch: { priorty: 1 } }],
    ["/patch/dispatch_id", { patch: { dispatch_id: randomUUID() } }],
    ["/patch/title", { patch: { title: "" } }],
    ["/requeue/why", { requeue: { why: "x" } }],
    ["/requeue/dispatch_id", { requeue: { dispatch_id: randomUUID() } }],
    ["/ids", { ids: [], delete: true }],
    ["/ids", { ids: Array.from({ length: 501 }, () => randomUUID()), delete: true }],
    ["/ids", { ids: ["00000000-0000-7000-8000-000000000000", "00000000-0000-7000-8000-000000000000"], delete: true }],
    ["/ids/0", { ids: ["1"], delete: true }],
  ])("is 400 as a whole for what is not valid, naming %s: %j", async (pointer, body) => {
    const { id } = await createTask(app, fleet);
    const call = app.client.changeTasks({ body: { ids: [id], ...body } as unknown as TaskBatch });
    await expect(call).rejects.toMatchObject(refusal("invalid_request", pointer));
    expect((await read(id)).version).toBe(1);
  });
});
