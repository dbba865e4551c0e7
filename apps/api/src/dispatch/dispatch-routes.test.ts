// Taking tasks over HTTP: order, hand-over, claim keys, leases and ends, on a real database.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, personaFile } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const take = (query = {}) => app.client.takeNextTask({ query: { executor: "test-1", ...query } });

describe("GET /tasks/next", () => {
  test("hands over prompt and persona, and the task is dispatched", async () => {
    const task = await createTask(app, fleet, { prompt: "Fix the login\n\nIt fails." });
    const handoff = await take();
    expect(handoff?.task).toMatchObject({
      id: task.id,
      prompt: "Fix the login\n\nIt fails.",
      state: "dispatched",
      executor: "test-1",
    });
    expect(personaFile("developer").endsWith(`---\n${handoff?.agent_type.body}`)).toBe(true);
    expect(handoff?.dispatch).toMatchObject({ task_id: task.id, attempt: 1, outcome: null });
    expect(await take()).toBeNull();
  });
});
