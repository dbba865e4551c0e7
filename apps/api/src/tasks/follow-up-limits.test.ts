// The limits of follow-ups (D-12): how deep and how many, counted within a bulk too, and what is said beyond them.
import type { Task, TaskCreate } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { countFollowUps } from "./follow-up-limits.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp({ env: { MAX_TASK_DEPTH: "3", MAX_TASKS_PER_ROOT: "6" } });
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const root = () => createTask(app, fleet);
const follow = ({ id }: Pick<Task, "id">) => createTask(app, fleet, { parent_id: id });
const bulk = (tasks: Partial<TaskCreate>[]) =>
  app.client.createTasks({
    body: { tasks: tasks.map((task) => ({ prompt: "Do it", organization: fleet.organization.id, ...task })) },
  });
const many = (count: number, { id }: Task) => Array.from({ length: count }, () => ({ parent_id: id }));
const beyond = refusal("follow_up_limit", "/parent_id");

describe("a chain of follow-ups", () => {
  test("ends at MAX_TASK_DEPTH, and is told how to go on", async () => {
    let last = await root();
    for (const depth of [1, 2, 3]) {
      last = await follow(last);
      expect(last.depth).toBe(depth);
    }
    await expect(follow(last)).rejects.toMatchObject(beyond);
    await expect(follow(last)).rejects.toThrow(/at most 3 steps.*leave parent_id out/);
    expect((await root()).depth).toBe(0);
  });

  test("keeps its depth when a parent is deleted: no way around the limit", async () => {
    const first = await root();
    const [second, third] = await (async () => {
      const child = await follow(first);
      return [child, await follow(child)];
    })();
    const fourth = await follow(third);
    for (const { id } of [second, third]) await app.client.deleteTask({ params: { id } });
    expect(await app.client.getTask({ params: { id: fourth.id } })).toMatchObject({
      parent_id: null,
      root_id: first.id,
      depth: 3,
    });
    await expect(follow(fourth)).rejects.toMatchObject(beyond);
  });
});

describe("the tasks of a root", () => {
  test("are at most MAX_TASKS_PER_ROOT, itself among them, however they hang together", async () => {
    const first = await root();
    const child = await follow(first);
    for (const parent of [first, child, child, first]) await follow(parent);
    for (const parent of [first, child]) await expect(follow(parent)).rejects.toMatchObject(beyond);
    await expect(follow(first)).rejects.toThrow(/at most 6 tasks/);
    await follow(await root());
  });

  test("may be followed again once some are deleted", async () => {
    const first = await root();
    const { items } = await bulk(many(5, first));
    await expect(follow(first)).rejects.toMatchObject(beyond);
    await app.client.deleteTask({ params: { id: items[0]?.id ?? "" } });
    await follow(first);
    await expect(follow(first)).rejects.toMatchObject(beyond);
  });

  test("are counted within a bulk too: it names each that is one too many, and creates none", async () => {
    const [first, other] = [await root(), await root()];
    await follow(first);
    const tooMany = bulk([...many(4, first), ...many(5, other), ...many(2, first), {}]);
    await expect(tooMany).rejects.toMatchObject(
      refusal("follow_up_limit", "/tasks/9/parent_id", "/tasks/10/parent_id"),
    );
    expect((await bulk([...many(4, first), ...many(5, other), {}])).items).toHaveLength(10);
  });

  test("are counted among creates that arrive together", async () => {
    const first = await root();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => follow(first)));
    const created = outcomes.filter(({ status }) => status === "fulfilled").length;
    // Two batches may be under way at the same moment (D-12).
    expect(created).toBeGreaterThanOrEqual(5);
    expect(created).toBeLessThanOrEqual(10);
    await expect(follow(first)).rejects.toMatchObject(beyond);
  });
});

test("GET /me tells the limits", async () => {
  expect((await app.client.getMe()).limits).toMatchObject({
    task_depth: 3,
    tasks_per_root: 6,
    bulk_tasks: 500,
    note_characters: 65_536,
  });
});

test("a root's tasks are counted by their index, and no further than the limit, even where all tasks are of one root", async () => {
  const first = await root();
  await app.sql`
    insert into tasks (id, organization_id, title, prompt, priority, root_id, depth, created_by, created_at)
    select gen_random_uuid(), organization_id, title, prompt, priority, id, 1, created_by, created_at
    from tasks, generate_series(1, 20000) where id = ${first.id}
  `;
  await app.sql`analyze tasks`;
  const query = () => countFollowUps(app.sql, [first.id], 6);
  expect(await query()).toEqual([{ root_id: first.id, follow_ups: 6 }]);
  const plan = await app.sql<Record<string, string>[]>`explain ${query()}`;
  const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(text).toMatch(/Index.* using tasks_root/);
  expect(text).not.toContain("Seq Scan on tasks");
  await app.sql`delete from tasks where root_id = ${first.id} and depth = 1`;
});
