// PATCH /tasks/{id} by and beside a worker (D-13, D-14): what may change while it runs, stale dispatches, token totals.
import type { Handoff, Task, TaskPatch } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let other: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  other = await createFleet(app, ["tester"]);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const patch = ({ id }: Task, body: TaskPatch): Promise<Task> => app.client.updateTask({ params: { id }, body });
const read = ({ id }: Task): Promise<Task> => app.client.getTask({ params: { id } });
const tester = () => other.agentTypes.tester?.id ?? "";
const link = () => `${inject("gitUrl")}/acme/website/issues/7`;
const finish = ({ dispatch: { id } }: Handoff) => app.client.finishDispatch({ params: { id } });
const requeue = ({ task: { id } }: Handoff): Promise<Task> => app.client.requeueTask({ params: { id } });
const retake = ({ fleet }: { fleet: Fleet }): Promise<Handoff> => takeTask(app, fleet);

describe("while a dispatch is live", () => {
  test.each([
    ["prompt", () => ({ prompt: "Too late" })],
    ["a person", () => ({ assignee_type: "user" as const, assignee: "Ada" })],
    ["nobody", () => ({ assignee_type: null, assignee: null })],
    ["another agent type", () => ({ assignee_type: "agent" as const, assignee: tester() })],
  ])("%s is 409 already_dispatched, and nothing of the patch is applied", async (_, body) => {
    const handoff = await createHandoff(app);
    const send = patch(handoff.task, { ...body(), title: "Changed", input_tokens: 5 });
    await expect(send).rejects.toMatchObject({ code: "already_dispatched" });
    expect(await read(handoff.task)).toEqual(handoff.task);
  });

  test("everything else is taken, and a new priority counts when the task is requeued", async () => {
    const handoff = await createHandoff(app);
    const body = { title: "T", labels: ["l"], result: "r", priority: 9, git_link: link(), input_tokens: 1 };
    expect(await patch(handoff.task, body)).toMatchObject({ ...body, git_link: { number: 7 }, state: "dispatched" });
    expect(await requeue(handoff)).toMatchObject({ priority: 9, state: "queued" });
  });

  test("after it has finished the task can be corrected, and then requeued", async () => {
    const handoff = await createHandoff(app);
    await finish(handoff);
    const corrected = { prompt: "Better", assignee_type: "agent" as const, assignee: tester() };
    expect(await patch(handoff.task, corrected)).toMatchObject({
      ...corrected,
      state: "dispatched",
      organization_id: other.organization.id,
    });
    await requeue(handoff);
    const query = { organization: other.organization.slug };
    expect(await app.client.takeNextTask({ query })).toMatchObject({ task: { id: handoff.task.id, prompt: "Better" } });
  });
});

describe("a dispatch_id", () => {
  test("of the task's latest dispatch is taken, also after it has finished", async () => {
    const handoff = await createHandoff(app);
    const { id: dispatch_id } = handoff.dispatch;
    expect(await patch(handoff.task, { result: "a", dispatch_id })).toMatchObject({ result: "a" });
    await finish(handoff);
    expect(await patch(handoff.task, { result: "b", dispatch_id: dispatch_id.toUpperCase() })).toMatchObject({
      result: "b",
    });
  });

  test("that another dispatch has followed is 409: a lost worker cannot overwrite its successor", async () => {
    const first = await createHandoff(app);
    const late = { result: "late", input_tokens: 9, dispatch_id: first.dispatch.id };
    await requeue(first);
    await expect(patch(first.task, late)).rejects.toMatchObject({ code: "stale_dispatch" });
    const second = await retake(first);
    await expect(patch(first.task, late)).rejects.toMatchObject({ code: "stale_dispatch" });
    expect(await read(first.task)).toEqual(second.task);
  });

  test("of another task is 409", async () => {
    const [one, another] = [await createHandoff(app), await createHandoff(app)];
    const send = patch(one.task, { result: "r", dispatch_id: another.dispatch.id });
    await expect(send).rejects.toMatchObject({ code: "stale_dispatch" });
  });
});

describe("tokens (D-14)", () => {
  test("are totals of one dispatch, set and not added; the task shows the sum over its dispatches", async () => {
    const first = await createHandoff(app);
    const { id: dispatch_id } = first.dispatch;
    const report = { input_tokens: 100, output_tokens: 10, dispatch_id };
    await patch(first.task, report);
    const { version } = await patch(first.task, { ...report, input_tokens: 120 });
    expect(await patch(first.task, { ...report, input_tokens: 120 })).toMatchObject({ input_tokens: 120, version });
    await requeue(first);
    const second = await retake(first);
    expect(await patch(first.task, { input_tokens: 30 })).toMatchObject({ input_tokens: 150, output_tokens: 10 });
    const dispatches = await Promise.all(
      [first, second].map(({ dispatch }) => app.client.getDispatch({ params: { id: dispatch.id } })),
    );
    expect(dispatches).toMatchObject([
      { input_tokens: 120, output_tokens: 10 },
      { input_tokens: 30, output_tokens: 0 },
    ]);
  });

  test("of a task that was never dispatched stay what was set on it", async () => {
    const task = await createTask(app, other);
    await patch(task, { input_tokens: 5 });
    expect(await patch(task, { output_tokens: 6 })).toMatchObject({ input_tokens: 5, output_tokens: 6 });
  });

  test("never sum to more than a client can read", async () => {
    const first = await createHandoff(app);
    await patch(first.task, { input_tokens: Number.MAX_SAFE_INTEGER });
    await requeue(first);
    await retake(first);
    expect(await patch(first.task, { input_tokens: Number.MAX_SAFE_INTEGER })).toMatchObject({
      input_tokens: Number.MAX_SAFE_INTEGER,
    });
  });
});
