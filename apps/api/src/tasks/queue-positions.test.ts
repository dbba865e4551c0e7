// GET /tasks?from_position (D-16): a page from the middle of the queue is the slice of the whole list, and agrees with /position (D-27).
import type { TaskQuery } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const priorities = [0, 100, 0, -50, 7, 0, 32_767, -32_768];

let app: TestApp;
let fleet: Fleet;
/** The ids of the whole queue, in order. */
let queue: string[];

const list = (query: TaskQuery) => app.client.listTasks({ query });
const idsFrom = async (from_position: number, limit: number) =>
  (await list({ sort: "queue", from_position, limit })).items.map(({ id }) => id);

beforeAll(async () => {
  app = await startTestApp({ env: { MAX_LOST_DISPATCHES: "1" } });
  fleet = await createFleet(app);
  const other = await createFleet(app, ["tester"]);
  await createTasks(app, fleet, 80, (n) => ({ priority: priorities[n % priorities.length] ?? 0 }));
  await createTasks(app, other, 20, (n) => ({ priority: n % 3 }));
  // What is not in the queue, and what came back into it.
  const organization = fleet.organization.slug;
  await createTask(app, fleet, { assignee_type: "user", assignee: "Ada", organization, priority: 100 });
  await createTask(app, fleet, { assignee_type: null, assignee: null, organization });
  const [taken, returned, lost] = [await takeTask(app, fleet), await takeTask(app, fleet), await takeTask(app, fleet)];
  await app.client.finishDispatch({ params: { id: taken.dispatch.id } });
  await app.client.requeueTask({ params: { id: returned.task.id }, body: {} });
  await app.client.releaseDispatch({ params: { id: lost.dispatch.id } });
  expect(await app.client.getTask({ params: { id: lost.task.id } })).toMatchObject({ needs_attention: true });
  queue = (await list({ sort: "queue", limit: 200 })).items.map(({ id }) => id);
});
afterAll(() => app.close());

test("a page from any position on is the slice of the list, and is read on from its cursor", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 110 }), fc.integer({ min: 1, max: 40 }), async (from, limit) => {
      const page = await list({ sort: "queue", from_position: from, limit });
      expect(page.items.map(({ id }) => id)).toEqual(queue.slice(from - 1, from - 1 + limit));
      expect(page.next_cursor === null).toBe(from - 1 + limit >= queue.length);
      if (page.next_cursor === null) return;
      const { items } = await list({ sort: "queue", cursor: page.next_cursor, limit });
      expect(items.map(({ id }) => id)).toEqual(queue.slice(from - 1 + limit, from - 1 + 2 * limit));
    }),
    { numRuns: 60 },
  );
});

test("it is the position that each task tells, and the count says where the last one is", async () => {
  const { count } = await app.client.countTasks({ query: { state: "queued", assignee_type: "agent" } });
  expect(count).toBe(queue.length);
  for (const position of [1, 2, 11, 42, count]) {
    const [id = ""] = await idsFrom(position, 1);
    expect(await app.client.getTaskPosition({ params: { id } })).toMatchObject({ position });
  }
  expect(await idsFrom(count + 1, 1)).toEqual([]);
});

test("the Link to the next page names the cursor alone", async () => {
  const headers = { authorization: `Bearer ${app.token}` };
  const first = await fetch(`${app.baseUrl}/tasks?sort=queue&from_position=5&limit=3`, { headers });
  const [, link = ""] = /^<([^>]+)>/.exec(first.headers.get("link") ?? "") ?? [];
  const second = await fetch(new URL(link, first.url), { headers });
  const { items } = (await second.json()) as { items: { id: string }[] };
  expect(items.map(({ id }) => id)).toEqual(queue.slice(7, 10));
});

test("where the counts are wrong the page begins somewhere, or is empty, and is no fault", async () => {
  const [{ id }] = await app.sql<[{ id: string }]>`select id from organizations limit 1`;
  const agentTypeId = Object.values(fleet.agentTypes)[0]?.id ?? "";
  const wrong = { organization_id: id, agent_type_id: agentTypeId, priority: 0, queued: 1000, live: 0, ended: 0 };
  const [{ mark }] = await app.sql<[{ mark: string }]>`
    insert into task_count_changes ${app.sql(wrong)} returning ctid::text as mark
  `;
  expect((await idsFrom(500, 1)).length).toBeLessThanOrEqual(1);
  await app.sql`delete from task_count_changes where ctid = ${mark}::tid`;
});

describe("it counts the whole queue, so it is refused", () => {
  test.each<[string, TaskQuery]>([
    ["by creation", { sort: "created_at" }],
    ["without a sort", {}],
    ["of one organization", { sort: "queue", organization: ["acme"] }],
    ["with a search", { sort: "queue", q: "login" }],
    ["with a state", { sort: "queue", state: "queued" }],
    ["with a cursor", { sort: "queue", cursor: "abc" }],
  ])("%s", async (_, query) => {
    const refused = refusal("invalid_request", "?from_position");
    await expect(list({ ...query, from_position: 1 })).rejects.toMatchObject(refused);
  });

  test.each(["0", "-1", "1.5", "first", "1000000001"])("as %s", async (from) => {
    const problem = await app.problem(`/tasks?sort=queue&from_position=${from}`);
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ pointer: "?from_position" }] });
  });
});
