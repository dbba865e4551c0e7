// Waiting capacity signals (D-19): a newer one of the executor ends them, and so does the end of what they hold.
import type { CapacityAnswer, CapacitySignal, Handoff } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { sweepLeases } from "./lease-sweeper.ts";

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app, isBeating: true });
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(async () => {
  await beside.close();
  await app.close();
});

const filterOf = ({ organization }: Fleet) => ({ organization: organization.slug });
const signal = (body: Partial<CapacitySignal>, { client } = app): Promise<CapacityAnswer> =>
  client.signalCapacity({ body: { executor: "e1", slots: 1, ...body } });
const nothing = { dispatches: [], revoked: [] };

test.each(["the same replica", "another replica"])(
  "a newer signal at %s makes the waiting one answer empty",
  async (where) => {
    const fleet = await createFleet(app);
    const own = { executor: fleet.organization.slug, ...filterOf(fleet), wait_seconds: 15 };
    const replica = where === "another replica" ? beside : app;
    const { answers: older } = await park(replica, filterOf(fleet), () => signal(own, replica));
    const { answers: newer } = await park(app, filterOf(fleet), () => signal(own));
    const startMs = performance.now();
    expect(await older[0]).toEqual(nothing);
    expect(performance.now() - startMs).toBeLessThan(2000);
    const { id } = await createTask(app, fleet);
    expect(await newer[0]).toMatchObject({ dispatches: [{ task: { id } }] });
  },
);

test("a claim does not serve a signal that a newer one has followed elsewhere, although nobody told this replica", async () => {
  const fleet = await createFleet(app);
  const own = { executor: fleet.organization.slug, ...filterOf(fleet) };
  // The first app neither beats nor hears.
  const { answers } = await park(app, filterOf(fleet), () => signal({ ...own, wait_seconds: 15, sequence: 1 }));
  expect(await signal({ ...own, slots: 0, sequence: 2 }, beside)).toEqual(nothing);
  const { id } = await createTask(app, fleet);
  expect(await answers[0]).toEqual(nothing);
  expect((await takeTask(app, fleet)).task.id).toBe(id);
});

test("signals of one executor at two replicas, and tasks coming at that moment: what only the last may hold", async () => {
  const fleet = await createFleet(app);
  const executor = fleet.organization.slug;
  const handed: Handoff[] = [];
  const answers: Promise<void>[] = [];
  for (let sequence = 1; sequence <= 60; sequence++) {
    const replica = sequence % 3 === 0 ? beside : app;
    const holding = handed.map(({ dispatch }) => dispatch.id);
    const body = { executor, ...filterOf(fleet), slots: 1, wait_seconds: 5, sequence, holding };
    const creating = createTask(sequence % 2 === 0 ? beside : app, fleet);
    answers.push(
      signal(body, replica).then(
        ({ dispatches, revoked }) => {
          handed.push(...dispatches);
          // Each of them was handed over by a signal that this one followed.
          for (const id of revoked) expect(holding).toContain(id);
        },
        (error) => expect(error).toMatchObject({ code: "stale_signal" }),
      ),
    );
    if (sequence % 4 === 0) await creating;
  }
  await Promise.all(answers.slice(0, -1));
  // Live and unknown to the last held set can only be what the last signal was handed.
  const last = await signal({ executor, slots: 0, sequence: 61, holding: [] });
  expect(last).toEqual(nothing);
  await Promise.all(answers);
  const live =
    await app.sql`select id, signal_sequence from dispatches where executor = ${executor} and ended_at is null`;
  expect(live).toEqual([]);
});

test("many signals of one executor at once, at two replicas: one is left waiting, and it is served", async () => {
  const fleet = await createFleet(app);
  const own = { executor: fleet.organization.slug, ...filterOf(fleet), wait_seconds: 6 };
  for (let round = 0; round < 3; round++) {
    const answers = [app, app, app, beside, app, beside].map((replica) => signal(own, replica));
    const settled: CapacityAnswer[] = [];
    for (const answer of answers) void answer.then((one) => settled.push(one));
    await expect.poll(() => settled.length, { timeout: 4000 }).toBe(answers.length - 1);
    expect(settled).toEqual(settled.map(() => nothing));
    const { id } = await createTask(app, fleet);
    const tasks = (await Promise.all(answers)).flatMap(({ dispatches }) => dispatches.map(({ task }) => task.id));
    expect(tasks).toEqual([id]);
  }
});

/** Ways in which a held dispatch ends under a waiting signal. */
const revocations: Record<string, (handoff: Handoff, by: TestApp) => Promise<unknown>> = {
  requeued: ({ task }, { client }) => client.requeueTask({ params: { id: task.id } }),
  deleted: ({ task }, { client }) => client.deleteTask({ params: { id: task.id } }),
  released: ({ dispatch }, { client }) => client.releaseDispatch({ params: { id: dispatch.id } }),
  expired: async ({ dispatch }, { engine }) => {
    await app.sql`update dispatches set lease_expires_at = now() - interval '1 ms' where id = ${dispatch.id}`;
    const sql = app.database.background;
    await sweepLeases({ sql, signals: engine.signals, maxLostDispatches: 5, hit: createFailpoints(undefined) });
  },
};

test.each(
  Object.entries(revocations).flatMap(([name, revoke]) =>
    ["the same replica", "another replica"].map((where) => [name, where, revoke] as const),
  ),
)("a waiting signal is answered at once when what it holds is %s at %s", async (_, where, revoke) => {
  const fleet = await createFleet(app);
  const { agentTypes } = fleet;
  await createTask(app, fleet, { assignee: agentTypes.developer?.id ?? "" });
  const own = { executor: fleet.organization.slug, ...filterOf(fleet), lease_seconds: 600 };
  const { dispatches } = await signal({ ...own, sequence: 1 }, beside);
  const holding = dispatches.map(({ dispatch }) => dispatch.id);
  // It waits for another agent type, so that the task does not come right back.
  const filter = { ...filterOf(fleet), agent_types: ["reviewer"] };
  const send = () => signal({ ...own, ...filter, sequence: 2, wait_seconds: 15, holding }, beside);
  const { answers } = await park(beside, { ...filterOf(fleet), agent_type: ["reviewer"] }, send);
  const [handoff] = dispatches;
  const startMs = performance.now();
  if (handoff) await revoke(handoff, where === "another replica" ? app : beside);
  expect(await answers[0]).toEqual({ dispatches: [], revoked: holding });
  expect(performance.now() - startMs).toBeLessThan(500);
});

test("a waiting signal renews the leases of what it holds", async () => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  const own = { executor: fleet.organization.slug, ...filterOf(fleet), lease_seconds: 30 };
  const { dispatches } = await signal({ ...own, sequence: 1 }, beside);
  const id = dispatches[0]?.dispatch.id ?? "";
  const send = () => signal({ ...own, sequence: 2, wait_seconds: 3, holding: [id] }, beside);
  const { answers } = await park(beside, filterOf(fleet), send);
  await app.sql`
    update dispatches set last_heard_at = now() - interval '15 seconds', lease_expires_at = now() + interval '15 seconds'
    where id = ${id}
  `;
  await expect
    .poll(
      async () => {
        const { lease_expires_at } = await app.client.getDispatch({ params: { id } });
        return Date.parse(lease_expires_at ?? "") - Date.now();
      },
      { timeout: 2500 },
    )
    .toBeGreaterThan(25_000);
  expect(await answers[0]).toEqual(nothing);
});
