// DELETE /tasks/{id} (D-15) and what is left to read of a task afterwards.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

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

const remove = (id: string, version?: number) =>
  app.client.deleteTask({ params: { id }, ...(version && { headers: { "if-match": `"${version}"` } }) });

describe("DELETE /tasks/{id}", () => {
  test("is 204 once and 404 afterwards; the task leaves the queue", async () => {
    const { id } = await createTask(app, fleet, { priority: 100 });
    const response = await app.request(`/tasks/${id}`, { method: "DELETE" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    await expect(remove(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(app.client.getTask({ params: { id } })).rejects.toMatchObject({ code: "not_found" });
    expect(await app.client.takeNextTask()).toBeNull();
  });

  test("honours If-Match", async () => {
    const { id } = await createTask(app, fleet);
    await app.client.updateTask({ params: { id }, body: { priority: 1 } });
    await expect(remove(id, 1)).rejects.toMatchObject({ code: "precondition_failed" });
    expect(await remove(id, 2)).toBeNull();
  });

  test("takes the dispatches with it, a live one too: its worker learns that it is gone", async () => {
    const { id } = await createTask(app, fleet);
    const handoff = await app.client.takeNextTask();
    const params = { id: handoff?.dispatch.id ?? "" };
    await remove(id);
    for (const call of [app.client.heartbeatDispatch, app.client.finishDispatch, app.client.getDispatch]) {
      await expect(call({ params })).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(app.client.listTaskDispatches({ params: { id } })).rejects.toMatchObject({ code: "not_found" });
  });

  test("leaves the follow-ups, without a parent but with their root and depth", async () => {
    const root = await createTask(app, fleet);
    const child = await createTask(app, fleet, { parent_id: root.id });
    const grandchild = await createTask(app, fleet, { parent_id: child.id });
    await remove(child.id);
    expect(await app.client.getTask({ params: { id: grandchild.id } })).toMatchObject({
      parent_id: null,
      root_id: root.id,
      depth: 2,
    });
  });

  test("leaves the history: who created, who deleted, and what it was called", async () => {
    const { id } = await createTask(app, fleet, { title: "Short-lived" });
    await remove(id);
    const { items } = await app.client.listTaskEvents({ params: { id } });
    expect(items).toMatchObject([
      {
        type: "task.deleted",
        task_id: id,
        organization_id: fleet.organization.id,
        actor: { sub: "executor", name: "executor" },
        data: { title: "Short-lived", state: "queued" },
      },
      { type: "task.created" },
    ]);
  });
});
