// The history of a task (D-28): every change leaves one event with its actor, in order, also after the task is gone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const actor = { sub: "executor", name: "executor" };

test("tells a whole life, newest first, with what changed and who did it", async () => {
  const { id } = await createTask(app, fleet, { title: "Fix", priority: 3 });
  const params = { id };
  await app.client.updateTask({ params, body: { title: "Fix it", labels: ["a"] } });
  const take = async () => (await app.client.takeNextTask({ query: { executor: "one" } }))?.dispatch.id ?? "";
  const first = await take();
  await app.client.updateTask({ params, body: { result: "Half", dispatch_id: first } });
  await app.client.releaseDispatch({ params: { id: first }, body: { reason: "Tired" } });
  const second = await take();
  await app.client.requeueTask({ params, body: { reason: "Again" } });
  const third = await take();
  await app.client.finishDispatch({ params: { id: third } });
  await app.client.deleteTask({ params });

  const { items, next_cursor } = await app.client.listTaskEvents({ params });
  expect(next_cursor).toBeNull();
  const about = { task_id: id, organization_id: fleet.organization.id, actor };
  const assignee = fleet.agentTypes.developer?.id;
  const handed = { executor: "one", agent_type_id: assignee, root_id: id, waited_ms: expect.any(Number) };
  expect(items.toReversed()).toEqual(
    [
      ["task.created", { title: "Fix", priority: 3, assignee_type: "agent", assignee, parent_id: null }],
      ["task.updated", { changes: { title: { old: "Fix", new: "Fix it" }, labels: { old: [], new: ["a"] } } }],
      ["task.dispatched", { dispatch_id: first, attempt: 1, ...handed }],
      ["task.updated", { changes: { result: { old: null, new: "Half" } }, dispatch_id: first }],
      ["task.released", { dispatch_id: first, attempt: 1, reason: "Tired" }],
      ["task.dispatched", { dispatch_id: second, attempt: 2, ...handed }],
      ["task.requeued", { dispatch_id: second, reason: "Again" }],
      ["task.dispatched", { dispatch_id: third, attempt: 3, ...handed }],
      ["task.finished", { dispatch_id: third, attempt: 3 }],
      ["task.deleted", { title: "Fix it", state: "dispatched" }],
    ].map(([type, data]) => ({ ...about, id: expect.any(String), at: expect.stringMatching(/\.\d{3}Z$/), type, data })),
  );
});

describe("GET /tasks/{id}/events", () => {
  test("pages without gap or repeat in the order of the stream", async () => {
    const { id } = await createTask(app, fleet);
    for (let priority = 1; priority <= 25; priority++) {
      await app.client.updateTask({ params: { id }, body: { priority } });
    }
    const seen: string[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await app.client.listTaskEvents({ params: { id }, query: { limit: 7, ...(cursor && { cursor }) } });
      seen.push(...page.items.map((event) => event.id));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(26);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  test("takes a cursor of this task alone", async () => {
    const [one, other] = [await createTask(app, fleet), await createTask(app, fleet)];
    await app.client.updateTask({ params: { id: one.id }, body: { priority: 9 } });
    const { next_cursor } = await app.client.listTaskEvents({ params: { id: one.id }, query: { limit: 1 } });
    const query = { cursor: next_cursor ?? "" };
    const foreign = app.client.listTaskEvents({ params: { id: other.id }, query });
    await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });

  test("what is refused leaves no event", async () => {
    const { id } = await createTask(app, fleet);
    await expect(app.client.requeueTask({ params: { id } })).rejects.toMatchObject({ code: "already_queued" });
    const patch = app.client.updateTask({ params: { id }, body: { title: "x", git_link: "no" } });
    await expect(patch).rejects.toMatchObject({ code: "invalid_request" });
    expect((await app.client.listTaskEvents({ params: { id } })).items).toHaveLength(1);
  });
});
