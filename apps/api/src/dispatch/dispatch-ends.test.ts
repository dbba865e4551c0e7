// How dispatches end (D-25): finish, release, requeue, what each does to the task, and a task's list of them.
import type { Dispatch, Handoff, Task } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHandoff, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const nobodysId = "00000000-0000-7000-8000-000000000000";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const read = ({ id }: Pick<Task, "id">): Promise<Task> => app.client.getTask({ params: { id } });
const types = async ({ id }: Pick<Task, "id">) =>
  (await app.client.listTaskEvents({ params: { id } })).items.map(({ type }) => type);
const takeOf = ({ organization }: Fleet) => app.client.takeNextTask({ query: { organization: organization.slug } });
const retake = ({ fleet }: { fleet: Fleet }): Promise<Handoff> => takeTask(app, fleet);
const finish = ({ dispatch: { id } }: Handoff): Promise<Dispatch> => app.client.finishDispatch({ params: { id } });
const release = ({ dispatch: { id } }: Handoff, reason?: string): Promise<Dispatch> =>
  app.client.releaseDispatch({ params: { id }, ...(reason && { body: { reason } }) });
const heartbeat = ({ dispatch: { id } }: Handoff): Promise<Dispatch> =>
  app.client.heartbeatDispatch({ params: { id } });
const requeue = ({ task: { id } }: Handoff, body = {}): Promise<Task> =>
  app.client.requeueTask({ params: { id }, body });

describe("an end (D-25)", () => {
  test("finish: the task stays dispatched; repeated it is 200, another end 409", async () => {
    const handoff = await createHandoff(app);
    const ended = await finish(handoff);
    expect(ended).toMatchObject({ outcome: "finished", ended_at: expect.any(String), reason: null });
    expect(await finish(handoff)).toEqual(ended);
    expect(await read(handoff.task)).toMatchObject({
      state: "dispatched",
      current_dispatch_id: handoff.dispatch.id,
      dispatch_ended_at: ended.ended_at,
      needs_attention: false,
      version: 3,
    });
    for (const late of [release, heartbeat]) {
      await expect(late(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    }
    expect(await types(handoff.task)).toEqual(["task.finished", "task.dispatched", "task.created"]);
    expect(await takeOf(handoff.fleet)).toBeNull();
  });

  test("release: the task is queued at its place; repeated it is 200, also once it is dispatched anew", async () => {
    const handoff = await createHandoff(app);
    await createTask(app, handoff.fleet);
    const ended = await release(handoff, "No key to the house");
    expect(ended).toMatchObject({ outcome: "released", reason: "No key to the house" });
    const cleared = { current_dispatch_id: null, executor: null, dispatched_at: null, dispatch_ended_at: null };
    expect(await read(handoff.task)).toMatchObject({ state: "queued", ...cleared, dispatch_count: 1 });
    const again = await retake(handoff);
    expect(again).toMatchObject({ task: { id: handoff.task.id }, dispatch: { attempt: 2 } });
    expect(await release(handoff)).toEqual(ended);
    expect(await read(handoff.task)).toEqual(again.task);
    await expect(finish(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    const { items } = await app.client.listTaskDispatches({ params: { id: handoff.task.id } });
    expect(items).toEqual([again.dispatch, ended]);
  });

  test("release may leave its body out, or say nothing in it", async () => {
    for (const init of [{}, { body: "{}" }, { body: '{"reason":null}' }]) {
      const { dispatch } = await createHandoff(app);
      const response = await app.request(`/dispatches/${dispatch.id}/release`, { method: "POST", ...init });
      expect([response.status, await response.json()]).toMatchObject([200, { reason: null }]);
    }
  });

  test("five failures in a row need attention; a finish or a requeue begins anew", async () => {
    const handoff = await createHandoff(app);
    for (let n = 0; n < 4; n++) {
      await release(n === 0 ? handoff : await retake(handoff));
      expect(await read(handoff.task)).toMatchObject({ state: "queued", needs_attention: false });
    }
    const last = await retake(handoff);
    const { ended_at } = await release(last);
    expect(await read(handoff.task)).toMatchObject({
      state: "dispatched",
      needs_attention: true,
      current_dispatch_id: last.dispatch.id,
      dispatch_ended_at: ended_at,
      dispatch_count: 5,
    });
    expect(await takeOf(handoff.fleet)).toBeNull();
    expect(await requeue(handoff)).toMatchObject({ state: "queued", needs_attention: false });
    await release(await retake(handoff));
    await finish(await retake(handoff));
    await requeue(handoff);
    for (let n = 0; n < 4; n++) await release(await retake(handoff));
    expect(await read(handoff.task)).toMatchObject({ state: "queued", needs_attention: false });
  });

  test.each(["finish", "release", "heartbeat"])("%s of no dispatch is 404, of no id 400", async (end) => {
    const init = { method: "POST" };
    expect(await app.problem(`/dispatches/${nobodysId}/${end}`, init)).toMatchObject({ code: "not_found" });
    expect(await app.problem(`/dispatches/1/${end}`, init)).toMatchObject({ errors: [{ pointer: "?id" }] });
  });

  test.each([
    ["/reason", '{"reason":5}'],
    ["/reason", `{"reason":"${"x".repeat(4097)}"}`],
    ["/why", '{"why":"x"}'],
  ])("release names %s for what is wrong", async (pointer, body) => {
    const { dispatch } = await createHandoff(app);
    const problem = await app.problem(`/dispatches/${dispatch.id}/release`, { method: "POST", body });
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
    expect(await app.client.getDispatch({ params: { id: dispatch.id } })).toMatchObject({ outcome: null });
  });
});

describe("POST /tasks/{id}/requeue", () => {
  test("ends a live dispatch: its worker's word counts no more", async () => {
    const handoff = await createHandoff(app);
    const task = await requeue(handoff, { reason: "Begin again" });
    expect(task).toMatchObject({ state: "queued", current_dispatch_id: null, version: 3 });
    expect(task.queued_at > handoff.task.queued_at).toBe(true);
    const { outcome, reason } = await app.client.getDispatch({ params: { id: handoff.dispatch.id } });
    expect([outcome, reason]).toEqual(["requeued", "Begin again"]);
    await expect(finish(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    expect(await types(handoff.task)).toEqual(["task.requeued", "task.dispatched", "task.created"]);
  });

  test("keeps the outcome of a dispatch that had finished", async () => {
    const handoff = await createHandoff(app);
    await finish(handoff);
    const response = await app.request(`/tasks/${handoff.task.id}/requeue`, { method: "POST" });
    expect([response.status, response.headers.get("etag")]).toEqual([200, '"4"']);
    expect(await finish(handoff)).toMatchObject({ outcome: "finished" });
  });

  test("is 409 for a queued task, a stale dispatch_id, 412 for another version", async () => {
    const handoff = await createHandoff(app);
    const other = await createHandoff(app);
    const { id } = handoff.task;
    await expect(requeue(handoff, { dispatch_id: other.dispatch.id })).rejects.toMatchObject({
      code: "stale_dispatch",
    });
    const old = app.client.requeueTask({ params: { id }, body: {}, headers: { "if-match": '"1"' } });
    await expect(old).rejects.toMatchObject({ code: "precondition_failed" });
    await requeue(handoff, { dispatch_id: handoff.dispatch.id });
    await expect(requeue(handoff)).rejects.toMatchObject({ code: "already_queued" });
    const person = { assignee_type: "user", assignee: "Ada", organization: handoff.fleet.organization.id } as const;
    const task = await createTask(app, handoff.fleet, person);
    await expect(app.client.requeueTask({ params: { id: task.id } })).rejects.toMatchObject({ code: "already_queued" });
  });
});

describe("GET /tasks/{id}/dispatches", () => {
  test("pages newest first, with a cursor of this task alone", async () => {
    const handoff = await createHandoff(app);
    const seen = [handoff.dispatch.id];
    for (let n = 0; n < 4; n++) {
      await requeue(handoff);
      seen.unshift((await retake(handoff)).dispatch.id);
    }
    const params = { id: handoff.task.id };
    const first = await app.client.listTaskDispatches({ params, query: { limit: 3 } });
    const cursor = first.next_cursor ?? "";
    const second = await app.client.listTaskDispatches({ params, query: { limit: 3, cursor } });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(seen);
    expect(second.next_cursor).toBeNull();
    const foreign = app.client.listTaskDispatches({
      params: { id: (await createHandoff(app)).task.id },
      query: { cursor },
    });
    await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });
});
