// Where a task stands in the queue and why it waits (D-27): order, overtaking, pace, executors that could take it.
import type { Position, PositionReason, Task } from "@task-service/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp } from "../../test/test-app.ts";
import { writeMoves } from "../tasks/count-queries.ts";
import { type Observed, recordObserved } from "./executor-queries.ts";

const actor = { sub: "executor", name: "executor" };

const openQueue = async () => {
  const app = await startTestApp({ env: { MAX_LOST_DISPATCHES: "1" } });
  const fleets = [await createFleet(app), await createFleet(app)] as const;
  return {
    app,
    fleets,
    empty: () => app.sql`truncate tasks, ready, dispatches, events, executors, task_counts, task_count_changes cascade`,
    create: (task: Parameters<typeof createTask>[2] = {}) => createTask(app, fleets[0], task),
    positionOf: ({ id }: Pick<Task, "id">): Promise<Position> => app.client.getTaskPosition({ params: { id } }),
  };
};

const capacityReasons = new Set<PositionReason>(["no_executor_seen", "no_free_capacity", "filtered_out"]);
const placeReasons = ({ reasons }: Position) => reasons.filter((reason) => !capacityReasons.has(reason));

describe("the place", () => {
  let queue: Awaited<ReturnType<typeof openQueue>>;
  beforeAll(async () => {
    queue = await openQueue();
  });
  beforeEach(() => queue.empty());
  afterAll(() => queue.app.close());

  test("is the one in the order over all organizations and agent types", async () => {
    const { app, fleets, positionOf } = queue;
    const tasks: Task[] = [];
    for (const [index, priority] of [0, 50, -50, 0, 50, -50, 0].entries()) {
      const fleet: Fleet = fleets[index % 2] ?? fleets[0];
      const assignee = fleet.agentTypes[index % 3 ? "developer" : "reviewer"]?.id ?? null;
      tasks.push(await createTask(app, fleet, { priority, assignee }));
    }
    const { items } = await app.client.listTasks({ query: { sort: "queue" } });
    const positions = await Promise.all(items.map(positionOf));
    expect(positions.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(positions.map(placeReasons)).toEqual([
      ["next"],
      ["behind_older"],
      ["behind_higher_priority"],
      ["behind_higher_priority", "behind_older"],
      ["behind_higher_priority", "behind_older"],
      ["behind_higher_priority"],
      ["behind_higher_priority", "behind_older"],
    ]);
    expect(positions[0]).toMatchObject({ ahead: [], oldest_ahead_at: null, overtaken_count: 0 });
    expect(positions[1]).toMatchObject({ ahead: [{ priority: 50, count: 1 }], oldest_ahead_at: tasks[1]?.queued_at });
    expect(positions[6]).toMatchObject({
      ahead: [
        { priority: 50, count: 2 },
        { priority: 0, count: 3 },
        { priority: -50, count: 1 },
      ],
      oldest_ahead_at: tasks[0]?.queued_at,
    });
  });

  test("moves with the priority, and forward with each hand-over", async () => {
    const { app, fleets, create, positionOf } = queue;
    const [, task] = [await create(), await create(), await create({ priority: 9 })];
    expect((await positionOf(task)).position).toBe(3);
    await app.client.updateTask({ params: { id: task.id }, body: { priority: 9 } });
    expect(await positionOf(task)).toMatchObject({ position: 1, ahead: [], oldest_ahead_at: null });
    await app.client.updateTask({ params: { id: task.id }, body: { priority: -9 } });
    await takeTask(app, fleets[0]);
    expect(await positionOf(task)).toMatchObject({ position: 2, ahead: [{ priority: 0, count: 1 }] });
  });

  test("is null once it is dispatched, needs attention, or is not for an agent type", async () => {
    const { app, fleets, create, positionOf } = queue;
    const outside = {
      position: null,
      ahead: [],
      overtaken_count: 0,
      oldest_ahead_at: null,
      waiting_executors: 0,
      estimated_wait_seconds: null,
    };
    const person = await create({ assignee_type: "user", assignee: "Ada", organization: fleets[0].organization.slug });
    expect(await positionOf(person)).toEqual({ ...outside, reasons: ["not_assigned_to_agent"] });
    const nobody = await create({ assignee_type: null, assignee: null, organization: fleets[0].organization.slug });
    expect(await positionOf(nobody)).toEqual({ ...outside, reasons: ["not_assigned_to_agent"] });

    const task = await create();
    const { dispatch } = await takeTask(app, fleets[0]);
    expect(await positionOf(task)).toEqual({ ...outside, reasons: ["not_queued"] });
    await app.client.releaseDispatch({ params: { id: dispatch.id } });
    expect(await positionOf(task)).toEqual({ ...outside, reasons: ["not_queued", "needs_attention"] });
    await app.client.requeueTask({ params: { id: task.id } });
    expect(await positionOf(task)).toMatchObject({ position: 1 });
  });

  test("of a task that is none is not found", async () => {
    const { app, create, positionOf } = queue;
    const task = await create();
    await app.client.deleteTask({ params: { id: task.id } });
    await expect(positionOf(task)).rejects.toMatchObject(refusal("not_found"));
    expect(await app.problem("/tasks/7/position")).toMatchObject({ code: "invalid_request" });
  });

  test("tells how many younger ones were dispatched since it was queued, each once", async () => {
    const { app, fleets, create, positionOf } = queue;
    await create({ priority: 100 });
    const overtaken = await create();
    await create({ priority: 50 });
    await create({ priority: 50 });
    await takeTask(app, fleets[0]);
    expect(await positionOf(overtaken)).toMatchObject({ overtaken_count: 0, position: 3 });
    const { task } = await takeTask(app, fleets[0]);
    await app.client.requeueTask({ params: { id: task.id } });
    await takeTask(app, fleets[0]);
    expect(await positionOf(overtaken)).toMatchObject({ overtaken_count: 1, position: 2 });
    await takeTask(app, fleets[0]);
    expect(await positionOf(overtaken)).toMatchObject({ overtaken_count: 2, position: 1 });

    await takeTask(app, fleets[0]);
    await app.client.requeueTask({ params: { id: overtaken.id } });
    expect(await positionOf(overtaken)).toMatchObject({ overtaken_count: 0, position: 1 });
  });

  test("comes with a wait at the pace of the last hour", async () => {
    const { app, fleets, create, positionOf } = queue;
    const tasks = [await create(), await create(), await create(), await create()];
    const [, , next, last] = tasks;
    if (!next || !last) throw new Error("not created");
    expect((await positionOf(last)).estimated_wait_seconds).toBeNull();
    await takeTask(app, fleets[0]);
    await takeTask(app, fleets[0]);
    expect(await Promise.all([positionOf(next), positionOf(last)])).toMatchObject([
      { position: 1, estimated_wait_seconds: 1800 },
      { position: 2, estimated_wait_seconds: 3600 },
    ]);
  });
});

describe("at depth", () => {
  let queue: Awaited<ReturnType<typeof openQueue>>;
  beforeAll(async () => {
    queue = await openQueue();
  });
  afterAll(() => queue.app.close());

  /** 10,050 tasks of priority 10 that wait, and as many that were dispatched: 50 a while ago, then ten a second until now. */
  const fill = async (model: Task): Promise<void> => {
    const { sql } = queue.app;
    const idAt = sql`(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || lpad(to_hex(n), 16, '8'))::uuid`;
    await sql`
      with made as (
        insert into tasks (id, organization_id, title, prompt, priority, assignee_type, assignee, root_id, depth, created_by,
          created_at, queue_seq, state)
        select ${idAt}, ${model.organization_id}, 'x', 'x', 10, 'agent', ${model.assignee}, ${idAt}, 0, '{}', at,
          nextval('queue_seq'), case when n <= 10050 then 'queued' else 'dispatched' end
        from (select n, now() - (20101 - n) * interval '100 ms' - case when n <= 10100 then interval '30 minutes' else '0' end as at from generate_series(1, 20100) n) every
        returning *
      ), places as (
        insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id)
        select -priority, queue_seq, id, organization_id, agent_type_id from made where state = 'queued'
      ), moves as (
        ${writeMoves(sql, sql`made`, { queued: sql`count(*) filter (where state = 'queued')`, live: sql`count(*) filter (where state = 'dispatched')` })}
      )
      insert into dispatches (id, task_id, organization_id, agent_type_id, agent_type_version_id, queue_seq, executor, actor, attempt, dispatched_at)
      select id, id, organization_id, agent_type_id, id, queue_seq, 'x', '{}', 1, created_at from made where state = 'dispatched'
    `;
  };

  test("every count stops at 10,000", async () => {
    const { app, create, positionOf } = queue;
    const task = await create();
    await app.sql`update tasks set queued_at = now() - interval '1 day'`;
    await fill(task);
    const position = await positionOf(task);
    expect(position).toMatchObject({
      position: 10_001,
      ahead: [{ priority: 10, count: 10_000 }],
      overtaken_count: 10_000,
      reasons: ["behind_higher_priority", "no_executor_seen"],
    });
    expect(position.estimated_wait_seconds).toBeGreaterThanOrEqual(1000);
    expect(position.estimated_wait_seconds).toBeLessThan(1100);
    const younger = await create();
    expect(placeReasons(await positionOf(younger))).toEqual(["behind_higher_priority", "behind_older"]);
  });
});

describe("executors", () => {
  let queue: Awaited<ReturnType<typeof openQueue>>;
  let task: Task;
  beforeAll(async () => {
    queue = await openQueue();
  });
  beforeEach(async () => {
    await queue.empty();
    task = await queue.create();
  });
  afterAll(() => queue.app.close());

  type Seen = Partial<Omit<Observed, "actor" | "executor">>;
  const observe = (...seen: Seen[]): Promise<void> =>
    recordObserved(
      queue.app.sql,
      seen.map((one, index) => ({
        actor,
        executor: `executor-${index}`,
        organizationId: undefined,
        agentTypeIds: undefined,
        waiting: 0,
        ...one,
      })),
    );
  const here = () => queue.fleets[0].organization.id;
  const there = () => queue.fleets[1].organization.id;
  const type = (slug: string) => [queue.fleets[0].agentTypes[slug]?.id ?? ""];
  const waiting = { waiting: 1 };

  test.each<[string, PositionReason[], number, () => Seen[]]>([
    ["nobody was seen", ["no_executor_seen"], 0, () => []],
    ["somebody has no filter and is busy", ["no_free_capacity"], 0, () => [{}]],
    ["somebody of the organization is busy", ["no_free_capacity"], 0, () => [{ organizationId: here() }]],
    ["all are for another organization", ["filtered_out"], 0, () => [{ organizationId: there(), ...waiting }]],
    ["all are for another agent type", ["filtered_out"], 0, () => [{ agentTypeIds: type("reviewer"), ...waiting }]],
    [
      "the agent type is right and the organization is not",
      ["filtered_out"],
      0,
      () => [{ organizationId: there(), agentTypeIds: type("developer"), ...waiting }],
    ],
    [
      "the one that waits is for another agent type and the right one is busy",
      ["no_free_capacity"],
      0,
      () => [{ agentTypeIds: type("reviewer"), ...waiting }, { agentTypeIds: type("developer") }],
    ],
    [
      "some wait that could take it, among others",
      [],
      3,
      () => [
        waiting,
        { organizationId: here(), ...waiting },
        { agentTypeIds: [...type("reviewer"), ...type("developer")], organizationId: here(), waiting: 5 },
        { agentTypeIds: type("reviewer"), ...waiting },
        {},
      ],
    ],
  ])("%s: %j", async (_, reasons, count, seen) => {
    await observe(...seen());
    expect(await queue.positionOf(task)).toMatchObject({ waiting_executors: count, reasons: ["next", ...reasons] });
  });

  test("that ceased to wait, or were last seen more than an hour ago, do not count", async () => {
    await observe(waiting);
    await queue.app.sql`update executors set waiting_until = now() - interval '1 ms'`;
    expect(await queue.positionOf(task)).toMatchObject({ waiting_executors: 0, reasons: ["next", "no_free_capacity"] });
    await queue.app.sql`update executors set last_signal_at = now() - interval '61 minutes'`;
    expect(await queue.positionOf(task)).toMatchObject({ waiting_executors: 0, reasons: ["next", "no_executor_seen"] });
  });
});
