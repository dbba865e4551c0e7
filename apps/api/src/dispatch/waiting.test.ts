// Waiting for a task (D-19, D-20): whatever brings a task into the queue wakes who it suits, first come first served.
import type { CapacitySignal, Handoff, NextQuery, Task } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { sweepLeases } from "./lease-sweeper.ts";

let app: TestApp;
/** Another replica that beats and hears hints. */
let beside: TestApp;
/** One that hears nothing of the others, and whose own hints are not sent. */
let deaf: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app, isBeating: true });
  deaf = await startTestApp({
    beside: app,
    isBeating: true,
    env: { DATABASE_DIRECT_URL: "postgres://127.0.0.1:1/none" },
  });
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(async () => {
  await deaf.close();
  await beside.close();
  await app.close();
});

const filterOf = ({ organization }: Fleet) => ({ organization: organization.slug });
const wait = (query: NextQuery, { client } = app): Promise<Handoff | null> =>
  client.takeNextTask({ query: { wait_seconds: 10, ...query } });
const answered = async (answers: readonly Promise<Handoff | null>[]) => (await answers[0])?.task.id;
const assign = ({ agentTypes }: Fleet, slug = "developer") =>
  ({ assignee_type: "agent", assignee: agentTypes[slug]?.id ?? "" }) as const;
const sweep = (replica: TestApp) =>
  sweepLeases({
    sql: app.database.background,
    signals: replica.engine.signals,
    maxLostDispatches: 5,
    hit: createFailpoints(undefined),
  });

/** What brings a task into the queue, by the client of `by`: begun before somebody waits, and ended after. */
const arrivals: Record<string, (fleet: Fleet, by: TestApp) => Promise<() => Promise<string>>> = {
  "a create": async (fleet) => async () => (await createTask(app, fleet)).id,
  "a bulk create":
    async (fleet, { client }) =>
    async () => {
      const { items } = await client.createTasks({ body: { tasks: [{ prompt: "Do it", ...assign(fleet) }] } });
      return items[0]?.id ?? "";
    },
  "a requeue": async (fleet, { client }) => {
    const { id } = await createTask(app, fleet);
    await takeTask(app, fleet);
    return async () => (await client.requeueTask({ params: { id } })).id;
  },
  "a release": async (fleet, { client }) => {
    await createTask(app, fleet);
    const { dispatch } = await takeTask(app, fleet);
    return async () => (await client.releaseDispatch({ params: { id: dispatch.id } })).task_id;
  },
  "a late assignment": async (fleet, { client }) => {
    const { id } = await createTask(app, fleet, { ...filterOf(fleet), assignee_type: null, assignee: null });
    return async () => (await client.updateTask({ params: { id }, body: assign(fleet) })).id;
  },
  "a move from another organization": async (fleet, { client }) => {
    const { id } = await createTask(app, await createFleet(app));
    return async () => (await client.updateTask({ params: { id }, body: assign(fleet) })).id;
  },
  "an expired lease": async (fleet, by) => {
    const { id } = await createTask(app, fleet);
    const { dispatch } = await takeTask(app, fleet, { lease_seconds: 10 });
    return async () => {
      await app.sql`update dispatches set lease_expires_at = now() - interval '1 ms' where id = ${dispatch.id}`;
      await sweep(by);
      return id;
    };
  },
  "a held set that names it no more": async (fleet, { client }) => {
    const { id } = await createTask(app, fleet);
    const signal = (body: Partial<CapacitySignal>) =>
      client.signalCapacity({ body: { executor: fleet.organization.slug, slots: 1, ...filterOf(fleet), ...body } });
    await signal({ sequence: 1 });
    return async () => {
      await signal({ sequence: 2, slots: 0, holding: [] });
      return id;
    };
  },
};

test.each(Object.entries(arrivals))("%s wakes who waits", async (_, arrive) => {
  const fleet = await createFleet(app);
  const arrival = await arrive(fleet, app);
  const { answers } = await park(app, filterOf(fleet), () => wait(filterOf(fleet)));
  const id = await arrival();
  expect(await answered(answers)).toBe(id);
});

test.each(Object.entries(arrivals))(
  "%s wakes who waits at another replica, within 250 ms",
  { retry: 2 },
  async (_, arrive) => {
    const fleet = await createFleet(app);
    const arrival = await arrive(fleet, app);
    const { answers } = await park(beside, filterOf(fleet), () => wait(filterOf(fleet), beside));
    const id = await arrival();
    const startMs = performance.now();
    expect(await answered(answers)).toBe(id);
    expect(performance.now() - startMs).toBeLessThan(250);
  },
);

test("with all hints lost, a look finds the task within 2 s", async () => {
  const fleet = await createFleet(app);
  const { answers } = await park(deaf, filterOf(fleet), () => wait(filterOf(fleet), deaf));
  await app.sql`alter function pg_notify(text, text) rename to pg_notify_lost`;
  const startMs = performance.now();
  const { id } = await createTask(app, fleet);
  expect(await answered(answers)).toBe(id);
  expect(performance.now() - startMs).toBeLessThan(2000);
  await app.sql`alter function pg_notify_lost(text, text) rename to pg_notify`;
});

test("a place that moves under a waiter's eyes: the waiter tries again until it is free", async () => {
  const fleet = await createFleet(app);
  const { id } = await createTask(app, fleet);
  const { patching, waiting } = await app.sql.begin(async (transaction) => {
    await transaction`select from tasks where id = ${id} for update`;
    const patching = app.client.updateTask({ params: { id }, body: { priority: 5 } });
    await untilBlocked(app);
    return { patching, waiting: wait(filterOf(fleet)) };
  });
  await patching;
  expect(await waiting).toMatchObject({ task: { id, priority: 5 } });
});

test("a place that a change holds is waited for by those with time, and passed over by those without", async () => {
  const fleet = await createFleet(app);
  const [first, second] = [await createTask(app, fleet), await createTask(app, fleet)];
  const { waiting } = await app.sql.begin(async (transaction) => {
    await transaction`select from ready where task_id = ${first.id} for update`;
    expect((await takeTask(app, fleet)).task.id).toBe(second.id);
    expect(await wait({ ...filterOf(fleet), wait_seconds: 0 })).toBeNull();
    const claims = vi.spyOn(app.engine, "offer");
    const waiting = wait(filterOf(fleet));
    await vi.waitFor(() => expect(claims).toHaveBeenCalled(), { timeout: 5000 });
    claims.mockRestore();
    expect(await wait({ ...filterOf(fleet), wait_seconds: 0 })).toBeNull();
    return { waiting };
  });
  expect((await waiting)?.task.id).toBe(first.id);
});

test("places that others hold, however many, do not hide the free one behind them", async () => {
  const fleet = await createFleet(app);
  const tasks = Array.from({ length: 300 }, (): { prompt: string } & ReturnType<typeof assign> => ({
    prompt: "Do it",
    ...assign(fleet),
  }));
  const { items } = await app.client.createTasks({ body: { tasks } });
  await app.sql.begin(async (transaction) => {
    await transaction`select from ready where task_id = any(${items.slice(0, -1).map(({ id }) => id)}::uuid[]) for update`;
    expect((await takeTask(app, fleet)).task.id).toBe(items.at(-1)?.id);
  });
});

test("only who it suits is woken", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app)];
  const queries: NextQuery[] = [
    { ...filterOf(fleet), agent_type: ["developer"] },
    { ...filterOf(fleet), agent_type: ["reviewer", "developer"] },
    filterOf(other),
  ];
  const waiting = [];
  for (const query of queries) waiting.push(await park(app, query, () => wait({ ...query, wait_seconds: 1 })));
  const { id } = await createTask(app, fleet, assign(fleet, "reviewer"));
  const [developer, both, elsewhere] = waiting.map(({ answers }) => answered(answers));
  expect(await both).toBe(id);
  expect(await Promise.all([developer, elsewhere])).toEqual([undefined, undefined]);
});

test("who came first is served first", async () => {
  const fleet = await createFleet(app);
  const answers: Promise<string | undefined>[] = [];
  for (let n = 0; n < 5; n++) {
    const parked = await park(app, filterOf(fleet), () => wait({ ...filterOf(fleet), executor: `e${n}` }));
    answers.push(answered(parked.answers));
  }
  const tasks: Task[] = [];
  for (let n = 0; n < 5; n++) tasks.push(await createTask(app, fleet));
  expect(await Promise.all(answers)).toEqual(tasks.map(({ id }) => id));
});

test("a wait that finds nothing ends with 204 when its time is over", async () => {
  const fleet = await createFleet(app);
  const startMs = performance.now();
  const response = await app.request(`/tasks/next?organization=${fleet.organization.slug}&wait_seconds=1`);
  expect([response.status, response.headers.get("cache-control")]).toEqual([204, "no-store"]);
  expect(performance.now() - startMs).toBeGreaterThan(990);
  expect(performance.now() - startMs).toBeLessThan(1500);
});
