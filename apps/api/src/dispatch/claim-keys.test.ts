// Claim keys (D-22): the same key claims once, from however many sides it comes, and is answered what it was bound to.
import { randomUUID } from "node:crypto";
import type { CapacityAnswer, CapacitySignal, Handoff, NextQuery } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { endDispatches } from "./dispatch-ends.ts";

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

const signal = (body: Partial<CapacitySignal>, { client } = app): Promise<CapacityAnswer> =>
  client.signalCapacity({ body: { executor: "keyed", slots: 1, ...body } });
const take = (query: NextQuery, { client } = app): Promise<Handoff | null> =>
  client.takeNextTask({ query: { executor: "keyed", ...query } });
const idOf = (handoff: Handoff | null | undefined): string => handoff?.dispatch.id ?? "";
const idsOf = ({ dispatches }: CapacityAnswer): string[] => dispatches.map(idOf);
const filterOf = ({ organization }: Fleet) => ({ organization: organization.slug });
const finish = (id: string) => app.client.finishDispatch({ params: { id } });
const countQueued = async ({ organization }: Fleet): Promise<number> => {
  const { items } = await app.client.listTasks({ query: { sort: "queue", organization: [organization.slug] } });
  return items.length;
};
const stock = async (count: number): Promise<Fleet> => {
  const fleet = await createFleet(app);
  for (let n = 0; n < count; n++) await createTask(app, fleet, { prompt: `Task ${n}`, priority: n });
  return fleet;
};

test("a repeat is answered the same dispatches, whatever slots, filters and wait it brings", async () => {
  const [fleet, other] = [await stock(4), await stock(1)];
  const claim_key = randomUUID();
  const first = await signal({ ...filterOf(fleet), claim_key, slots: 3, lease_seconds: 60 });
  expect(first.dispatches).toHaveLength(3);
  const repeats: Partial<CapacitySignal>[] = [
    { ...filterOf(fleet), slots: 3 },
    { ...filterOf(fleet), slots: 100, wait_seconds: 20 },
    { slots: 0 },
    { ...filterOf(other), agent_types: ["reviewer"], slots: 1, wait_seconds: 20 },
    { organization: "nobody", slots: 1 },
    { agent_types: [randomUUID()], slots: 0 },
  ];
  for (const body of repeats) {
    const { dispatches, revoked } = await signal({ ...body, claim_key });
    expect(revoked).toEqual([]);
    expect(
      dispatches.map(({ task, dispatch, agent_type, notes }) => [task, dispatch.attempt, agent_type, notes]),
    ).toEqual(
      first.dispatches.map(({ task, dispatch, agent_type, notes }) => [task, dispatch.attempt, agent_type, notes]),
    );
    expect(dispatches.map(idOf)).toEqual(idsOf(first));
  }
  expect([await countQueued(fleet), await countQueued(other)]).toEqual([1, 1]);
});

test("a repeated GET ignores its filters too, even those that are gone", async () => {
  const fleet = await stock(2);
  const claim_key = randomUUID();
  const first = await take({ ...filterOf(fleet), claim_key });
  for (const filter of [{}, { organization: "nobody" }, { agent_type: [randomUUID()] }]) {
    expect(idOf(await take({ ...filter, claim_key }))).toBe(idOf(first));
  }
});

test("of those it is bound to, the ended ones are revoked; with none live it is spent", async () => {
  const fleet = await stock(4);
  const claim_key = randomUUID();
  const [first = "", second = "", third = ""] = idsOf(await signal({ ...filterOf(fleet), claim_key, slots: 3 }));
  await finish(second);
  await app.client.releaseDispatch({ params: { id: third } });
  const repeat = await signal({ ...filterOf(fleet), claim_key, slots: 3 });
  expect([idsOf(repeat), repeat.revoked.toSorted()]).toEqual([[first], [second, third].toSorted()]);
  await finish(first);
  for (const slots of [0, 3]) {
    await expect(signal({ ...filterOf(fleet), claim_key, slots })).rejects.toMatchObject({ code: "claim_key_spent" });
  }
  await expect(take({ ...filterOf(fleet), claim_key })).rejects.toMatchObject({ code: "claim_key_spent", status: 409 });
  expect(await countQueued(fleet)).toBe(2);
});

test("24 h after the last end it is free again, and not before", async () => {
  const fleet = await stock(4);
  const claim_key = randomUUID();
  const ids = idsOf(await signal({ ...filterOf(fleet), claim_key, slots: 2 }));
  for (const id of ids) await finish(id);
  const age = (id: string | undefined, period: string) =>
    app.sql`update dispatches set ended_at = now() - ${period}::interval where id = ${id ?? ""}`;
  await age(ids[0], "25 hours");
  await age(ids[1], "23 hours 59 minutes");
  await expect(signal({ ...filterOf(fleet), claim_key })).rejects.toMatchObject({ code: "claim_key_spent" });
  await age(ids[1], "24 hours 1 second");
  const anew = await signal({ ...filterOf(fleet), claim_key });
  expect(anew.dispatches.map(({ task }) => task.prompt)).toEqual(["Task 1"]);
  expect(idsOf(await signal({ ...filterOf(fleet), claim_key }))).toEqual(idsOf(anew));
});

test("a key is the caller's and the executor's own, and an empty answer binds nothing", async () => {
  const fleet = await stock(0);
  const claim_key = randomUUID();
  expect(await signal({ ...filterOf(fleet), claim_key })).toEqual({ dispatches: [], revoked: [] });
  expect(await take({ ...filterOf(fleet), claim_key })).toBeNull();
  await createTask(app, fleet);
  await createTask(app, fleet);
  const one = await signal({ ...filterOf(fleet), claim_key, executor: "one" });
  const two = await signal({ ...filterOf(fleet), claim_key, executor: "two" });
  expect(new Set([...idsOf(one), ...idsOf(two)]).size).toBe(2);
});

test("two replicas at once, many times: one claims, all are answered the same", async () => {
  const fleet = await stock(30);
  for (let round = 0; round < 10; round++) {
    const claim_key = randomUUID();
    const executor = `round-${round}`;
    const answers = await Promise.all(
      [app, beside, app, beside].map((replica) =>
        signal({ ...filterOf(fleet), executor, claim_key, slots: 2 }, replica),
      ),
    );
    // A signal that a newer one of its executor has followed may be answered empty; nobody claims besides.
    const full = answers.filter(({ dispatches }) => dispatches.length > 0).map(idsOf);
    expect(full.length).toBeGreaterThan(0);
    for (const ids of full) expect(ids).toEqual(full[0]);
    expect(full[0]).toHaveLength(2);
  }
  expect(await countQueued(fleet)).toBe(10);
});

test("two replicas at once by GET: all are answered the same dispatch", async () => {
  const fleet = await stock(20);
  for (let round = 0; round < 10; round++) {
    const query = { ...filterOf(fleet), claim_key: randomUUID() };
    const answers = await Promise.all([app, beside, app, beside].map((replica) => take(query, replica)));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(idOf(answers[0])).not.toBe("");
  }
  expect(await countQueued(fleet)).toBe(10);
});

test("twins that wait in one process: one claims, the other is answered the same", async () => {
  const fleet = await stock(0);
  const query = { ...filterOf(fleet), claim_key: randomUUID(), wait_seconds: 10 };
  const { answers } = await park(app, filterOf(fleet), () => take(query));
  const twin = take(query);
  await createTask(app, fleet);
  await createTask(app, fleet);
  const handoffs = await Promise.all([...answers, twin]);
  expect(new Set(handoffs.map(idOf)).size).toBe(1);
  expect(await countQueued(fleet)).toBe(1);
});

test("a GET repeated to another replica while the first waits there: both are answered the same, soon", async () => {
  const fleet = await stock(0);
  const query = { ...filterOf(fleet), claim_key: randomUUID(), wait_seconds: 8 };
  const { answers: repeated } = await park(beside, filterOf(fleet), () => take(query, beside));
  const { answers: original } = await park(app, filterOf(fleet), () => take(query));
  await createTask(app, fleet);
  const [first] = await Promise.all(original);
  const startMs = performance.now();
  expect(idOf(await repeated[0])).toBe(idOf(first));
  expect(performance.now() - startMs).toBeLessThan(3000);
});

test("a wait that ends without a claim of its own still tells what its key was bound to meanwhile", async () => {
  const fleet = await stock(0);
  const query = { ...filterOf(fleet), claim_key: randomUUID() };
  // This process hears nothing from others and never looks by itself.
  const { answers } = await park(app, filterOf(fleet), () => take({ ...query, wait_seconds: 1 }));
  const { id } = await createTask(beside, fleet);
  const claimed = await take(query, beside);
  expect(claimed?.task.id).toBe(id);
  expect(idOf(await answers[0])).toBe(idOf(claimed));
});

test("a key whose dispatch is taken back while it is repeated is free, not spent", async () => {
  const fleet = await stock(1);
  const query = { ...filterOf(fleet), claim_key: randomUUID() };
  const first = await take(query);
  const { repeat } = await app.sql.begin(async (transaction) => {
    await endDispatches(transaction, [idOf(first)], {
      outcome: "disconnected",
      reason: null,
      actor: { sub: "test", name: "test" },
      maxLostDispatches: 5,
    });
    const repeat = take(query);
    await untilBlocked(app);
    return { repeat };
  });
  expect(await repeat).toMatchObject({ task: { id: first?.task.id }, dispatch: { attempt: 2 } });
});
