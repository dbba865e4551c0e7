// The held set (D-23): what an executor does not name was lost on the way, unless it cannot know of it yet.
import { randomUUID } from "node:crypto";
import type { CapacityAnswer, CapacitySignal, Handoff } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { renewDispatches } from "./dispatch-queries.ts";
import { sweepLeases } from "./lease-sweeper.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(() => app.close());

const signal = (body: Partial<CapacitySignal>): Promise<CapacityAnswer> =>
  app.client.signalCapacity({ body: { executor: "e1", slots: 0, ...body } });
const read = (id = "") => app.client.getDispatch({ params: { id } });
const outcomes = (handoffs: readonly Handoff[]) =>
  Promise.all(handoffs.map(async ({ dispatch }) => (await read(dispatch.id)).outcome));
const idOf = (handoff: Handoff | undefined): string => handoff?.dispatch.id ?? "";
const age = (handoffs: readonly Handoff[], seconds: number) => app.sql`
  update dispatches set dispatched_at = dispatched_at - make_interval(secs => ${seconds})
  where id = any(${handoffs.map(idOf)}::uuid[])
`;

interface Holder {
  fleet: Fleet;
  /** An executor of its own, and the filter of its fleet. */
  own: { executor: string; organization: string };
  held: Handoff[];
}

/** An executor that was handed `count` tasks by a signal with `body`. */
const holding = async (count: number, body: Partial<CapacitySignal> = {}): Promise<Holder> => {
  const fleet = await createFleet(app);
  for (let n = 0; n < count; n++) await createTask(app, fleet);
  const own = { executor: `holder-${fleet.organization.slug}`, organization: fleet.organization.slug };
  const { dispatches } = await signal({ ...own, slots: count, ...body });
  expect(dispatches).toHaveLength(count);
  return { fleet, own, held: dispatches };
};

test("what is not named was lost: its task is back at its place, and the failure counts", async () => {
  const { fleet, own, held } = await holding(3, { sequence: 100 });
  await createTask(app, fleet);
  const [kept, lost] = held;
  expect(await signal({ ...own, sequence: 101, holding: [idOf(kept), idOf(held[2])] })).toEqual({
    dispatches: [],
    revoked: [],
  });
  expect(await outcomes(held)).toEqual([null, "lost", null]);
  const { items } = await app.client.listTaskEvents({ params: { id: lost?.task.id ?? "" } });
  expect(items[0]).toMatchObject({ type: "task.lost", data: { dispatch_id: idOf(lost) } });
  const [{ failures } = {}] = await app.sql`select failures from tasks where id = ${lost?.task.id ?? ""}`;
  expect(failures).toBe(1);
  // Before the task that came later.
  expect(await takeTask(app, fleet)).toMatchObject({ task: { id: lost?.task.id }, dispatch: { attempt: 2 } });
});

test("without a held set nothing is judged", async () => {
  const { own, held } = await holding(2, { sequence: 1 });
  await age(held, 60);
  await signal({ ...own, sequence: 2, finished: [idOf(held[0])] });
  await signal({ ...own, sequence: 3 });
  expect(await outcomes(held)).toEqual(["finished", null]);
});

test.each([7, 6, 0])("after sequence 7, a signal with %i is refused and changes nothing", async (sequence) => {
  const { fleet, own, held } = await holding(2, { sequence: 7, lease_seconds: 600 });
  await createTask(app, fleet);
  const before = await read(idOf(held[1]));
  const late = signal({ ...own, sequence, slots: 1, finished: [idOf(held[0])], holding: [idOf(held[1])] });
  await expect(late).rejects.toMatchObject({ code: "stale_signal", status: 409 });
  await expect(signal({ ...own, sequence, slots: 1, wait_seconds: 20 })).rejects.toMatchObject({
    code: "stale_signal",
  });
  expect(await outcomes(held)).toEqual([null, null]);
  expect(await read(idOf(held[1]))).toEqual(before);
  expect((await signal({ ...own, sequence: 8, slots: 1 })).dispatches).toHaveLength(1);
});

test("a refused signal leaves the waiting one alone", async () => {
  const { fleet, own } = await holding(0);
  const filter = { organization: own.organization };
  const { answers } = await park(app, filter, () => signal({ ...own, sequence: 5, slots: 1, wait_seconds: 10 }));
  await expect(signal({ ...own, sequence: 5, slots: 1 })).rejects.toMatchObject({ code: "stale_signal" });
  const { id } = await createTask(app, fleet);
  expect(await answers[0]).toMatchObject({ dispatches: [{ task: { id } }] });
});

test("sequences are the executor's own, and a signal without one does not lower them", async () => {
  const { own } = await holding(1, { sequence: 50 });
  await signal({ ...own, executor: `${own.executor}-too`, sequence: 1 });
  await signal(own);
  await expect(signal({ ...own, sequence: 50 })).rejects.toMatchObject({ code: "stale_signal" });
  await signal({ ...own, sequence: 51 });
});

test("of many signals with one sequence at once, one is heard", async () => {
  const { own } = await holding(0);
  const calls = Array.from({ length: 10 }, () => signal({ ...own, sequence: 9, holding: [] }));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("without a sequence, what was handed over in the last 10 s is left alone", async () => {
  const { own, held } = await holding(2);
  await age(held, 9);
  await signal({ ...own, holding: [] });
  expect(await outcomes(held)).toEqual([null, null]);
  await age(held, 1.1);
  await signal({ ...own, holding: [idOf(held[1])] });
  expect(await outcomes(held)).toEqual(["lost", null]);
});

test("dispatches taken by GET are not judged, but renewed when named", async () => {
  const { fleet, own } = await holding(0);
  await createTask(app, fleet);
  const taken = await takeTask(app, fleet, { executor: own.executor, lease_seconds: 60 });
  await age([taken], 60);
  await app.sql`update dispatches set lease_expires_at = now() + interval '1 second' where id = ${idOf(taken)}`;
  await signal({ ...own, sequence: 1, holding: [] });
  expect((await read(idOf(taken))).outcome).toBeNull();
  await signal({ ...own, sequence: 2, holding: [idOf(taken)] });
  const { lease_expires_at, last_heard_at } = await read(idOf(taken));
  expect(Date.parse(lease_expires_at ?? "") - Date.parse(last_heard_at)).toBe(60_000);
});

test("what this signal's own claim key is bound to is not lost, even when it is repeated after 12 s", async () => {
  const claim_key = randomUUID();
  const { own, held } = await holding(2, { sequence: 1, claim_key });
  await age(held, 12);
  const answer = await signal({ ...own, slots: 2, sequence: 2, claim_key, holding: [] });
  expect(answer.dispatches.map(idOf)).toEqual(held.map(idOf));
  expect(answer.revoked).toEqual([]);
  // A fresh key no longer protects them; they are handed over anew.
  const next = await signal({ ...own, slots: 2, sequence: 3, claim_key: randomUUID(), holding: [] });
  expect(await outcomes(held)).toEqual(["lost", "lost"]);
  expect(next.dispatches.map(({ task }) => task.id)).toEqual(held.map(({ task }) => task.id));
});

test("a restart under the name with nothing in hand frees everything, of this executor and caller only", async () => {
  const { own, held } = await holding(3, { sequence: 1 });
  const other = await holding(1, { executor: "another-name", sequence: 1 });
  await app.sql`update dispatches set actor = actor || '{"sub": "somebody else"}' where id = ${idOf(held[2])}`;
  const answer = await signal({ ...own, slots: 3, sequence: 2, holding: [] });
  expect(answer.dispatches.map(({ task }) => task.id)).toEqual(held.slice(0, 2).map(({ task }) => task.id));
  expect(await outcomes([...held, ...other.held])).toEqual(["lost", "lost", null, null]);
});

test("five times lost in a row need attention", async () => {
  const { own, held } = await holding(1, { sequence: 1 });
  for (let sequence = 2; sequence <= 6; sequence++) await signal({ ...own, slots: 1, sequence, holding: [] });
  expect(await app.client.getTask({ params: { id: held[0]?.task.id ?? "" } })).toMatchObject({
    state: "dispatched",
    needs_attention: true,
    dispatch_count: 5,
  });
});

test("one named both finished and held is finished, and no reason to end a wait", async () => {
  const { fleet, own, held } = await holding(1, { sequence: 1 });
  const named = { finished: held.map(idOf), holding: held.map(idOf) };
  const filter = { organization: own.organization };
  const send = () => signal({ ...own, slots: 1, sequence: 2, wait_seconds: 10, ...named });
  const { answers } = await park(app, filter, send);
  await app.engine.waitingSignals.look();
  const { id } = await createTask(app, fleet);
  expect(await answers[0]).toMatchObject({ dispatches: [{ task: { id } }], revoked: [] });
});

const expire = (ids: readonly string[]) =>
  app.sql`update dispatches set lease_expires_at = now() - interval '1 ms' where id = any(${[...ids]}::uuid[])`;
const sweep = () =>
  sweepLeases({
    sql: app.database.background,
    signals: app.engine.signals,
    maxLostDispatches: 5,
    hit: createFailpoints(undefined),
  });
/** Runs the changes one after the other up to where they wait for the dispatch, then lets them race. */
const raceFor = async (id: string, changes: readonly (() => Promise<unknown>)[]): Promise<unknown[]> => {
  const { racing } = await app.sql.begin(async (transaction) => {
    await transaction`select from dispatches where id = ${id} for update`;
    const racing: Promise<unknown>[] = [];
    for (const change of changes) {
      racing.push(change());
      await untilBlocked(app, racing.length);
    }
    return { racing: Promise.allSettled(racing) };
  });
  return (await racing).map((one) => (one.status === "fulfilled" ? one.value : one.reason));
};

test("what is settled and swept at once does not deadlock", async () => {
  const { own, held } = await holding(3, { sequence: 1, lease_seconds: 10 });
  const [first = "", second = "", third = ""] = held.map(idOf);
  await expire([first, second]);
  const settle = () => signal({ ...own, sequence: 2, finished: [second], holding: [third] });
  expect(await raceFor(third, [settle, sweep])).toEqual([{ dispatches: [], revoked: [] }, 0]);
  expect(await outcomes(held)).toEqual(["lost", "finished", null]);
});

test("what is renewed and swept at once does not deadlock", async () => {
  const { fleet, own } = await holding(0);
  const tasks = [await createTask(app, fleet), await createTask(app, fleet, { priority: 1 })];
  // The later task is the first dispatch: neither order may depend on how the database finds them.
  const { dispatches } = await signal({ ...own, slots: 2, lease_seconds: 10 });
  expect(dispatches.map(({ task }) => task.id)).toEqual(tasks.map(({ id }) => id).toReversed());
  const ids = dispatches.map(idOf);
  await expire(ids);
  const renew = () => renewDispatches(app.database.dispatch, ids);
  expect(await raceFor(ids[1] ?? "", [sweep, renew])).toEqual([2, []]);
});
