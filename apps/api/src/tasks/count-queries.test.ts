// Counts that nobody counts (D-11, D-39): exact at any moment, whatever moves and whoever folds.
import { randomUUID } from "node:crypto";
import type { TaskPatch } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { type CountFilters, foldCounts, recountTasks, sumCounts } from "./count-queries.ts";

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

test("a change that waited for another goes by what that one left", async () => {
  const fleet = await createFleet(app);
  const [assignee = ""] = typesOf(fleet);
  const { id } = await createTask(app, fleet);
  const { dispatch } = await takeTask(app, fleet);
  await app.client.finishDispatch({ params: { id: dispatch.id } });
  const assign = (body: TaskPatch) => app.client.updateTask({ params: { id }, body });
  await assign({ assignee_type: null, assignee: null });
  const changes = await app.sql.begin(async (holder) => {
    await holder`select from tasks where id = ${id} for update`;
    const given = assign({ assignee_type: "agent", assignee });
    await untilBlocked(app);
    // Had looked at the task before the first one was through.
    const taken = assign({ assignee_type: null, assignee: null });
    await untilBlocked(app, 2);
    return { given, taken };
  });
  await Promise.all([changes.given, changes.taken]);
  expect(await sumOf(fleet, { isForAgents: true })).toBe(0);
  expect(await sumOf(fleet, { isForAgents: false })).toBe(1);
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

describe("a recount", () => {
  const recount = () => recountTasks(app.database.background);

  test("mends counts that have drifted, whoever else recounts, and tells by how much", async () => {
    const fleet = await createFleet(app);
    const [type = ""] = typesOf(fleet);
    const { id } = fleet.organization;
    const gone = randomUUID();
    await createTasks(app, fleet, 5);
    await createTask(app, fleet, { assignee_type: null, assignee: null, organization: fleet.organization.slug });
    await takeTask(app, fleet);
    await foldCounts(app.sql);
    await app.sql`delete from task_counts where organization_id = ${id} and agent_type_id is null`;
    await app.sql`insert into task_counts values (${id}, ${type}, 8, 0, 0, 3), (${gone}, null, 0, 2, 0, 0)`;
    await app.sql`insert into task_count_changes values (${id}, ${type}, 0, 10, -1, 0)`;
    const found = await Promise.all([recount(), recount()]);
    expect(found.flat()).toHaveLength(4);
    expect(found.flat()).toEqual(
      expect.arrayContaining([
        { organization_id: id, agent_type_id: null, priority: 0, queued: 1, live: 0, ended: 0 },
        { organization_id: id, agent_type_id: type, priority: 0, queued: -10, live: 1, ended: 0 },
        { organization_id: id, agent_type_id: type, priority: 8, queued: 0, live: 0, ended: -3 },
        { organization_id: gone, agent_type_id: null, priority: 0, queued: -2, live: 0, ended: 0 },
      ]),
    );
    expect(await standingsOf(fleet)).toEqual([5, 1, 0]);
    expect(await recount()).toEqual([]);
    await foldCounts(app.sql);
    expect(await app.sql`select from task_counts where organization_id = ${gone}`).toHaveLength(0);
  });

  test("finds nothing to mend, and loses nothing, while tasks come, move and end", async () => {
    const [fleet, source, target] = [await createFleet(app), await createFleet(app), await createFleet(app)];
    const [assignee = ""] = typesOf(target);
    const found: unknown[] = [];
    let recounts = 0;
    let isDone = false;
    const recounting = (async () => {
      while (!isDone) {
        const [drifts] = await Promise.all([recount(), foldCounts(app.database.background)]);
        found.push(...drifts);
        recounts++;
      }
    })();
    const work = Array.from({ length: 60 }, async (_, n) => {
      const isMoving = n % 3 === 0;
      const { id } = await createTask(app, isMoving ? source : fleet);
      if (isMoving) await app.client.updateTask({ params: { id }, body: { assignee_type: "agent", assignee } });
      const { dispatch } = await takeTask(app, isMoving ? target : fleet, { executor: `r${n}` });
      await app.client.finishDispatch({ params: { id: dispatch.id } });
    });
    await Promise.all(work).finally(() => {
      isDone = true;
    });
    await recounting;
    expect(recounts).toBeGreaterThan(1);
    expect(found).toEqual([]);
    expect(await standingsOf(fleet)).toEqual([0, 0, 40]);
    expect(await standingsOf(target)).toEqual([0, 0, 20]);
  });
});
