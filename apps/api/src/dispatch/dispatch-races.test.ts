// Many executors, people and workers at once (D-22, D-25, D-26): each task once, none lost, nothing fails.
import { type Handoff, ProblemError, type Task } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(() => app.close());

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const take = ({ organization }: Fleet, query = {}): Promise<Handoff | null> =>
  app.client.takeNextTask({ query: { organization: organization.slug, ...query } });
const createTasks = (fleet: Fleet, count: number): Promise<Task[]> =>
  Promise.all(
    times(count, (n) => createTask(app, fleet, { assignee: Object.values(fleet.agentTypes)[n % 2]?.id ?? "" })),
  );
const ids = (handoffs: readonly (Handoff | null)[]) => handoffs.flatMap((one) => one?.task.id ?? []).sort();
const idsOf = (tasks: readonly Task[]) => tasks.map(({ id }) => id).sort();

/** The codes of those that were refused; whatever is no problem document fails the test. */
const refusals = async (calls: readonly Promise<unknown>[]): Promise<string[]> => {
  const results = await Promise.allSettled(calls);
  return results.flatMap((result) => {
    if (result.status === "fulfilled") return [];
    if (!(result.reason instanceof ProblemError)) throw result.reason;
    return [result.reason.code];
  });
};

test.each<[string, (fleet: Fleet, n: number) => object]>([
  ["without a filter", () => ({})],
  ["for several agent types", () => ({ agent_type: ["developer", "reviewer"] })],
  ["some for one agent type, some for all", (_, n) => (n % 2 ? { agent_type: ["developer", "reviewer"] } : {})],
])(
  "as many takes at once as there are tasks, %s: each task is handed over once, nobody goes away empty",
  async (_, query) => {
    const fleet = await createFleet(app);
    for (const count of [2, 3, 4, 8, 30]) {
      const tasks = await createTasks(fleet, count);
      const handoffs = await Promise.all(times(count, (n) => take(fleet, { executor: `e${n}`, ...query(fleet, n) })));
      expect(ids(handoffs)).toEqual(idsOf(tasks));
    }
  },
);

test("50 takes at once of 30 tasks: 20 go away empty", async () => {
  const fleet = await createFleet(app);
  const tasks = await createTasks(fleet, 30);
  expect(ids(await Promise.all(times(50, () => take(fleet))))).toEqual(idsOf(tasks));
});

test("one claim key from many sides at once: one dispatch, answered to all", async () => {
  const fleet = await createFleet(app);
  await createTasks(fleet, 5);
  const handoffs = await Promise.all(times(10, () => take(fleet, { executor: "one", claim_key: "same" })));
  expect(new Set(handoffs.map((one) => one?.dispatch.id)).size).toBe(1);
  const { items } = await app.client.listTasks({ query: { sort: "queue", organization: [fleet.organization.slug] } });
  expect(items).toHaveLength(4);
});

test("one dispatch finished, released and requeued at once ends once", async () => {
  const fleet = await createFleet(app);
  await createTasks(fleet, 10);
  const handoffs = await Promise.all(times(10, () => take(fleet)));
  const calls = handoffs.flatMap((handoff) => {
    const [dispatch, task] = [{ id: handoff?.dispatch.id ?? "" }, { id: handoff?.task.id ?? "" }];
    return [
      app.client.finishDispatch({ params: dispatch }),
      app.client.releaseDispatch({ params: dispatch }),
      app.client.requeueTask({ params: task, body: { dispatch_id: dispatch.id } }),
    ];
  });
  const codes = await refusals(calls);
  expect(codes.filter((code) => code !== "stale_dispatch" && code !== "already_queued")).toEqual([]);
});

test("priorities, assignees and deletions change under the takers' hands: nothing fails, nothing is lost", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app)];
  const tasks = await createTasks(fleet, 60);
  const handoffs: (Handoff | null)[] = [];
  const calls = tasks.flatMap(({ id }, n) => [
    take(fleet, { executor: `e${n}` }).then((handoff) => handoffs.push(handoff)),
    app.client.updateTask({ params: { id }, body: { priority: n } }),
    ...(n % 3 === 0 ? [app.client.deleteTask({ params: { id } })] : []),
    ...(n % 4 === 0
      ? [
          app.client.updateTask({
            params: { id },
            body: { assignee_type: "agent", assignee: other.agentTypes.developer?.id ?? "" },
          }),
        ]
      : []),
    ...(n % 5 === 0 ? [app.client.requeueTask({ params: { id } })] : []),
  ]);
  const codes = new Set(await refusals(calls));
  expect([...codes].filter((code) => !["already_dispatched", "already_queued", "not_found"].includes(code))).toEqual(
    [],
  );
  const left = [fleet, other].map(({ organization }) => organization.slug);
  for (const organization of left) {
    while (await app.client.takeNextTask({ query: { organization } }));
  }
  const query = { organization: left, limit: 200 };
  const { items } = await app.client.listTasks({ query });
  expect(idsOf(items as unknown as Task[])).toEqual(idsOf(tasks.filter((_, n) => n % 3 !== 0)));
  expect(items.every(({ state }) => state === "dispatched")).toBe(true);
});

test("follow-ups of tasks that are being deleted are created or refused, never a fault", async () => {
  const fleet = await createFleet(app);
  const parents = await createTasks(fleet, 20);
  const calls = parents.flatMap(({ id }) => [
    createTask(app, fleet, { parent_id: id }),
    app.client.deleteTask({ params: { id } }),
    createTask(app, fleet, { parent_id: id }),
  ]);
  expect(new Set(await refusals(calls)).difference(new Set(["invalid_request"]))).toEqual(new Set());
});

test("an executor's whole life, twenty at once, until the queue is empty", async () => {
  const fleet = await createFleet(app);
  const tasks = await createTasks(fleet, 40);
  const finished: string[] = [];
  const work = async (executor: string) => {
    for (let turn = 0; ; turn++) {
      const handoff = await take(fleet, { executor, lease_seconds: 60, claim_key: `${executor}-${turn}` });
      if (!handoff) return;
      const [dispatch, task] = [{ id: handoff.dispatch.id }, { id: handoff.task.id }];
      await app.client.updateTask({ params: task, body: { input_tokens: 10, dispatch_id: dispatch.id } });
      await app.client.heartbeatDispatch({ params: dispatch });
      if (handoff.dispatch.attempt === 1) await app.client.releaseDispatch({ params: dispatch });
      else {
        await app.client.finishDispatch({ params: dispatch });
        finished.push(task.id);
      }
    }
  };
  await Promise.all(times(20, (n) => work(`e${n}`)));
  for (const { id } of tasks) {
    if (!finished.includes(id)) await work("last");
    expect(await app.client.getTask({ params: { id } })).toMatchObject({ input_tokens: 20, dispatch_count: 2 });
  }
  expect(finished.sort()).toEqual(idsOf(tasks));
});
