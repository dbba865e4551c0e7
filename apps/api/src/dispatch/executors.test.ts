// Executors as they were seen (D-25): what is recorded of them, how they are listed, when they are forgotten.
import { randomUUID } from "node:crypto";
import type { Actor, Executor } from "@task-service/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { forgetExecutors, type Observed, recordObserved } from "./executor-queries.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const ada: Actor = { sub: "ada-1", name: "Ada" };
const observed = (executor: string, seen: Partial<Observed> = {}): Observed => ({
  actor: ada,
  executor,
  organizationId: undefined,
  agentTypeIds: undefined,
  waiting: 0,
  ...seen,
});
const observe = (executor: string, seen: Partial<Observed> = {}) => recordObserved(app.sql, [observed(executor, seen)]);
const listAll = async (): Promise<Executor[]> => (await app.client.listExecutors()).items;
const find = async (executor: string): Promise<Executor | undefined> =>
  (await listAll()).find((one) => one.executor === executor);
const idOf = (slug: string): string => fleet.agentTypes[slug]?.id ?? "";

beforeEach(() => app.sql`delete from executors`);

describe("what is recorded", () => {
  test("is who it was, its filters and whether it waits, as seen last", async () => {
    await observe("one", { organizationId: fleet.organization.id, agentTypeIds: [idOf("developer")], waiting: 2 });
    const { id, slug } = fleet.organization;
    const first = await find("one");
    expect(first).toEqual({
      executor: "one",
      actor: ada,
      live_dispatches: 0,
      free_slots: 2,
      is_waiting: true,
      organization: { id, slug },
      agent_types: [{ id: idOf("developer"), slug: "developer" }],
      last_signal_at: expect.any(String),
    });
    await observe("one", { actor: { ...ada, name: "Ada L." } });
    const second = await find("one");
    expect(second).toEqual({
      ...first,
      actor: { ...ada, name: "Ada L." },
      free_slots: 0,
      is_waiting: false,
      organization: null,
      agent_types: null,
      last_signal_at: expect.any(String),
    });
    expect((second?.last_signal_at ?? "") >= (first?.last_signal_at ?? "")).toBe(true);
  });

  test("leaves what a capacity signal said alone, and time never goes back", async () => {
    const signalId = randomUUID();
    await app.sql`
      insert into executors (sub, executor, actor, signal_id, sequence, slots, last_signal_at)
      values (${ada.sub}, 'one', ${app.sql.json({ ...ada })}, ${signalId}, 7, 5, now() + interval '1 minute')
    `;
    const read = () => app.sql`select signal_id, sequence, slots, last_signal_at from executors`;
    const before = [...(await read())];
    await observe("one", { waiting: 1 });
    expect([...(await read())]).toEqual(before);
    expect(before).toMatchObject([{ signal_id: signalId, sequence: 7, slots: 5 }]);
    expect(await find("one")).toMatchObject({ is_waiting: true, free_slots: 5 });
  });

  test("keeps callers of one name apart", async () => {
    await recordObserved(app.sql, [
      observed("one", { waiting: 3 }),
      observed("one", { actor: { sub: "bob-1", name: "Bob" } }),
    ]);
    expect(await listAll()).toMatchObject([
      { executor: "one", actor: { sub: "ada-1" }, free_slots: 3, is_waiting: true },
      { executor: "one", actor: { sub: "bob-1" }, free_slots: 0, is_waiting: false },
    ]);
  });

  test("may be nothing", async () => {
    await recordObserved(app.sql, []);
    expect(await listAll()).toEqual([]);
  });

  test("by several replicas at once never deadlocks", async () => {
    const seen = Array.from({ length: 700 }, (_, index) => observed(`e-${index}`, { waiting: index % 2 }));
    const replicas = [seen, seen.toReversed(), seen.toSorted(() => Math.random() - 0.5)];
    for (let round = 0; round < 5; round++) {
      await Promise.all(replicas.map((ofReplica) => recordObserved(app.sql, ofReplica)));
    }
    expect(await app.sql`select from executors where waiting_until > now()`).toHaveLength(350);
  });
});

describe("GET /executors", () => {
  test("orders by name, then caller, and pages without gap or repeat", async () => {
    const names = ["b", "a", "B", "é", "a-2", "c"];
    const callers = ["s2", "s1"].map((sub) => ({ sub, name: "caller" }));
    await recordObserved(
      app.sql,
      callers.flatMap((actor) => names.map((executor) => observed(executor, { actor }))),
    );
    const all = await listAll();
    expect(all).toHaveLength(12);
    expect(all.slice(0, 2).map(({ executor, actor }) => [executor, actor.sub])).toEqual([
      ["B", "s1"],
      ["B", "s2"],
    ]);
    const seen: Executor[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await app.client.listExecutors({ query: { limit: 5, ...(cursor && { cursor }) } });
      seen.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
  });

  test("leaves out those not seen for an hour", async () => {
    await recordObserved(app.sql, [observed("gone"), observed("here")]);
    await app.sql`update executors set last_signal_at = now() - interval '3601 seconds' where executor = 'gone'`;
    expect((await listAll()).map(({ executor }) => executor)).toEqual(["here"]);
  });

  test("shows filters by slug, without what is gone", async () => {
    const nobodysId = randomUUID();
    await recordObserved(app.sql, [
      observed("some", { agentTypeIds: [idOf("reviewer"), nobodysId, idOf("developer")] }),
      observed("none", { agentTypeIds: [nobodysId], organizationId: nobodysId }),
    ]);
    expect(await find("some")).toMatchObject({
      organization: null,
      agent_types: [{ slug: "developer" }, { slug: "reviewer" }],
    });
    expect(await find("none")).toMatchObject({ organization: null, agent_types: [] });
  });

  test("waits, and has the slots it waits for, only as long as it is seen waiting", async () => {
    await observe("one", { waiting: 2 });
    expect(await find("one")).toMatchObject({ is_waiting: true, free_slots: 2 });
    await app.sql`update executors set waiting_until = waiting_until - interval '3 seconds'`;
    expect(await find("one")).toMatchObject({ is_waiting: false, free_slots: 0 });
  });

  test("takes no filters, and no cursor of another list", async () => {
    expect(await app.problem("/executors?q=a")).toMatchObject({ errors: [{ pointer: "?q" }] });
    const cursor = Buffer.from(JSON.stringify(["x", "a"])).toString("base64url");
    await expect(app.client.listExecutors({ query: { cursor } })).rejects.toMatchObject(
      refusal("invalid_request", "?cursor"),
    );
  });
});

test("those not seen for 30 days are forgotten, unless they are seen just now", async () => {
  await recordObserved(app.sql, [observed("here"), observed("away"), observed("back"), observed("gone")]);
  await app.sql`update executors set last_signal_at = now() - interval '29 days 23 hours' where executor = 'away'`;
  await app.sql`update executors set last_signal_at = now() - interval '30 days 1 minute' where executor in ('back', 'gone')`;
  await app.sql.begin(async (transaction) => {
    await transaction`update executors set last_signal_at = now() where executor = 'back'`;
    expect(await forgetExecutors(app.sql)).toBe(1);
  });
  expect(await forgetExecutors(app.sql)).toBe(0);
  const rows = await app.sql<{ executor: string }[]>`select executor from executors order by executor`;
  expect(rows.map(({ executor }) => executor)).toEqual(["away", "back", "here"]);
});

// The last one: the dispatcher notes what it takes when the others would be looking.
test("an executor has its live dispatches, and those of its newest signal are off its slots", async () => {
  const signalId = randomUUID();
  const sub = "executor";
  await app.sql`
    insert into executors (sub, executor, actor, signal_id, slots)
    values (${sub}, 'worker', '{"sub":"executor","name":"executor"}', ${signalId}, 2),
      ('somebody', 'worker', '{"sub":"somebody","name":"x"}', ${signalId}, 2)
  `;
  const take = async (): Promise<string> => {
    await createTask(app, fleet);
    return (await takeTask(app, fleet, { executor: "worker" })).dispatch.id;
  };
  const ofSignal = async (id: string) => app.sql`update dispatches set signal_id = ${signalId} where id = ${id}`;
  const [first, second, third] = [await take(), await take(), await take()];
  const worker = async () => (await listAll()).find(({ actor }) => actor.sub === sub);
  expect(await worker()).toMatchObject({ live_dispatches: 3, free_slots: 2 });
  await ofSignal(first);
  expect(await worker()).toMatchObject({ live_dispatches: 3, free_slots: 1 });
  await ofSignal(second);
  await ofSignal(third);
  expect(await worker()).toMatchObject({ live_dispatches: 3, free_slots: 0 });
  await app.client.finishDispatch({ params: { id: first } });
  await app.client.finishDispatch({ params: { id: second } });
  expect(await worker()).toMatchObject({ live_dispatches: 1, free_slots: 1 });
  const others = (await listAll()).filter(({ actor }) => actor.sub === "somebody");
  expect(others).toMatchObject([{ live_dispatches: 0, free_slots: 2 }]);
});
