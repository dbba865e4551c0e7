// Counts that nobody counts (D-11, D-39): exact at any moment, whatever moves and whoever folds.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { type CountFilters, foldCounts, sumCounts } from "./count-queries.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(() => app.close());

const typesOf = ({ agentTypes }: Fleet) => Object.values(agentTypes).map(({ id }) => id);
const sumOf = (fleet: Fleet, filters: CountFilters = {}): Promise<number> =>
  sumCounts(app.sql, { organizationIds: [fleet.organization.id], ...filters });
const standingsOf = async (fleet: Fleet): Promise<number[]> =>
  Promise.all((["queued", "live", "ended"] as const).map((standing) => sumOf(fleet, { standings: [standing] })));

test("a task is counted where it stands, from its creation to its end", async () => {
  const fleet = await createFleet(app);
  const task = await createTask(app, fleet);
  expect(await standingsOf(fleet)).toEqual([1, 0, 0]);
  const { dispatch } = await takeTask(app, fleet);
  expect(await standingsOf(fleet)).toEqual([0, 1, 0]);
  await app.client.finishDispatch({ params: { id: dispatch.id } });
  expect(await standingsOf(fleet)).toEqual([0, 0, 1]);
  await app.client.requeueTask({ params: { id: task.id }, body: {} });
  expect(await standingsOf(fleet)).toEqual([1, 0, 0]);
  await takeTask(app, fleet);
  await app.client.deleteTask({ params: { id: task.id } });
  expect(await standingsOf(fleet)).toEqual([0, 0, 0]);
});

test("each filter narrows the sum, and an empty list matches nothing", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app)];
  const [first = "", second = ""] = typesOf(fleet);
  await createTasks(app, fleet, 6, (n) => ({ priority: n, assignee: n < 4 ? first : second }));
  await createTask(app, fleet, { assignee_type: null, assignee: null, organization: fleet.organization.slug });
  await createTask(app, other);
  expect(await sumOf(fleet)).toBe(7);
  expect(await sumOf(fleet, { organizationIds: [fleet.organization.id, other.organization.id] })).toBe(8);
  expect(await sumOf(fleet, { organizationIds: [] })).toBe(0);
  expect(await sumOf(fleet, { agentTypeIds: [first] })).toBe(4);
  expect(await sumOf(fleet, { agentTypeIds: [first, second], priorityMin: 1, priorityMax: 4 })).toBe(4);
  expect(await sumOf(fleet, { isForAgents: true })).toBe(6);
  expect(await sumOf(fleet, { isForAgents: false })).toBe(1);
  expect(await sumOf(fleet, { standings: [] })).toBe(0);
});

test("a task that moves takes its count along", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app)];
  const [type = ""] = typesOf(other);
  const { id } = await createTask(app, fleet);
  await app.client.updateTask({ params: { id }, body: { priority: 9, assignee_type: "agent", assignee: type } });
  expect(await sumOf(fleet)).toBe(0);
  expect(await sumOf(other, { agentTypeIds: [type], priorityMin: 9, priorityMax: 9 })).toBe(1);
  await takeTask(app, other);
  await app.client.updateTask({ params: { id }, body: { priority: 3 } });
  expect(await sumOf(other, { standings: ["live"], priorityMax: 3 })).toBe(1);
});

test("an organization that goes leaves no count behind", async () => {
  const fleet = await createFleet(app);
  await createTasks(app, fleet, 3);
  for (const _ of "123") {
    const { dispatch } = await takeTask(app, fleet);
    await app.client.finishDispatch({ params: { id: dispatch.id } });
  }
  expect(await standingsOf(fleet)).toEqual([0, 0, 3]);
  await app.client.deleteOrganization({ params: { organization: fleet.organization.slug } });
  expect(await standingsOf(fleet)).toEqual([0, 0, 0]);
});

test("the sum never wavers while changes are folded", async () => {
  const fleet = await createFleet(app);
  await createTasks(app, fleet, 40);
  let isDone = false;
  const folding = (async () => {
    while (!isDone) await Promise.all([foldCounts(app.database.background), foldCounts(app.database.background)]);
  })();
  const sums = new Set<number>();
  const looking = (async () => {
    while (!isDone) sums.add(await sumOf(fleet));
  })();
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const { dispatch } = await takeTask(app, fleet, { executor: `e${n}` });
      const end = n % 2 ? app.client.finishDispatch : app.client.releaseDispatch;
      await end({ params: { id: dispatch.id } });
    }),
  );
  isDone = true;
  await Promise.all([folding, looking]);
  expect([...sums]).toEqual([40]);
});

test("counts that have come to nothing are dropped, and none is left unfolded", async () => {
  const fleet = await createFleet(app);
  const { id } = await createTask(app, fleet, { priority: 77 });
  await foldCounts(app.sql);
  await app.client.deleteTask({ params: { id } });
  await foldCounts(app.sql);
  expect(await app.sql`select from task_counts where priority = 77`).toHaveLength(0);
  expect(await app.sql`select from task_count_changes`).toHaveLength(0);
});
