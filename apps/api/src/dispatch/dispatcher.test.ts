// The dispatcher by itself: how many claims it makes, and that no offer is ever forgotten.
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import type { FailpointName } from "../platform/failpoints.ts";
import { createLogger } from "../platform/logger.ts";
import { createDispatcher, type Dispatcher, type Standing } from "./dispatcher.ts";
import { createLowMarks } from "./low-marks.ts";
import type { Offer, OfferEnd } from "./waiting-line.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(() => app.close());

/** A dispatcher that counts its claims. `before` runs when one begins. */
const newDispatcher = (before: () => Promise<void> = async () => {}) => {
  const { dispatch, background } = app.database;
  const hit = vi.fn((_: FailpointName) => before());
  const log = createLogger("silent");
  const { takeBack } = app.engine;
  const dispatcher = createDispatcher({ sql: dispatch, lowMarks: createLowMarks(background), log, hit, takeBack });
  return { dispatcher, hit };
};

const offerTo = (dispatcher: Dispatcher, { organization }: Fleet, offer: Partial<Offer> = {}): Standing =>
  dispatcher.offer({
    filter: { organizationId: organization.id, agentTypeIds: undefined },
    executor: "e1",
    actor: { sub: "test", name: "test" },
    slots: 1,
    leaseSeconds: undefined,
    claimKey: undefined,
    signal: undefined,
    waitMs: 10_000,
    ...offer,
  });
const placeIn = ({ organization, agentTypes }: Fleet) => ({
  organization_id: organization.id,
  agent_type_id: agentTypes.developer?.id ?? "",
});
const tasksOf = (end: OfferEnd): string[] => (end.kind === "claimed" ? end.handed.map(({ task }) => task.id) : []);
const countOf = (dispatcher: Dispatcher): number => [...dispatcher.waiting()].length;

test("50 wait and one task comes: one is answered, with a claim or two", async () => {
  const fleet = await createFleet(app);
  const { dispatcher, hit } = newDispatcher();
  const standings = Array.from({ length: 50 }, () => offerTo(dispatcher, fleet));
  expect(tasksOf(await offerTo(dispatcher, fleet, { waitMs: 0 }).end)).toEqual([]);
  hit.mockClear();
  const { id } = await createTask(app, fleet);
  dispatcher.queued([placeIn(fleet)]);
  expect(tasksOf((await standings[0]?.end) ?? { kind: "empty" })).toEqual([id]);
  expect(tasksOf(await offerTo(dispatcher, fleet, { waitMs: 0 }).end)).toEqual([]);
  expect(hit.mock.calls.length).toBeLessThanOrEqual(3);
  expect(countOf(dispatcher)).toBe(49);
  dispatcher.close();
  expect(countOf(dispatcher)).toBe(0);
});

test("500 that come together are claimed for together", async () => {
  const fleet = await createFleet(app);
  for (let n = 0; n < 20; n++) await createTask(app, fleet);
  const { dispatcher, hit } = newDispatcher();
  const standings = Array.from({ length: 500 }, () => offerTo(dispatcher, fleet, { waitMs: 0 }));
  const tasks = (await Promise.all(standings.map(({ end }) => end))).flatMap(tasksOf);
  expect(new Set(tasks).size).toBe(20);
  expect(hit).toHaveBeenCalledTimes(1);
});

test("an offer that follows one withdrawn at once is not forgotten", async () => {
  const fleet = await createFleet(app);
  const { dispatcher } = newDispatcher();
  const gone = offerTo(dispatcher, fleet);
  gone.withdraw();
  const { end } = offerTo(dispatcher, fleet);
  expect(await gone.end).toEqual({ kind: "empty" });
  expect(tasksOf(await offerTo(dispatcher, fleet, { waitMs: 0 }).end)).toEqual([]);
  expect(countOf(dispatcher)).toBe(1);
  const { id } = await createTask(app, fleet);
  dispatcher.queued([placeIn(fleet)]);
  expect(tasksOf(await end)).toEqual([id]);
});

test("a task queued while a claim is under way is claimed for after it", async () => {
  const fleet = await createFleet(app);
  const claim = Promise.withResolvers<void>();
  const { dispatcher, hit } = newDispatcher(() => claim.promise);
  const { end } = offerTo(dispatcher, fleet);
  await vi.waitFor(() => expect(hit).toHaveBeenCalledOnce(), { timeout: 5000 });
  // Told of during the claim, there only after it.
  dispatcher.queued([placeIn(fleet)]);
  hit.mockImplementation(async () => {});
  claim.resolve();
  const { id } = await createTask(app, fleet);
  dispatcher.queued([placeIn(fleet)]);
  expect(tasksOf(await end)).toEqual([id]);
});

test("who is withdrawn or out of time during a claim ends with it, served or not", async () => {
  const fleet = await createFleet(app);
  const [first, second] = [await createTask(app, fleet), await createTask(app, fleet)];
  const claim = Promise.withResolvers<void>();
  const { dispatcher, hit } = newDispatcher(() => claim.promise);
  const standings = [{}, { waitMs: 1 }, {}].map((offer) => offerTo(dispatcher, fleet, offer));
  await vi.waitFor(() => expect(hit).toHaveBeenCalledOnce(), { timeout: 5000 });
  for (const { withdraw } of standings) withdraw();
  expect(countOf(dispatcher)).toBe(3);
  claim.resolve();
  const ends = await Promise.all(standings.map(({ end }) => end));
  expect(ends.map(tasksOf)).toEqual([[first.id], [second.id], []]);
  expect(countOf(dispatcher)).toBe(0);
});

test("when the database fails a claim, those it was for are told, and the next ones are served", async () => {
  const fleet = await createFleet(app);
  const { dispatcher, hit } = newDispatcher();
  hit.mockRejectedValueOnce(Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" }));
  const failed = [offerTo(dispatcher, fleet), offerTo(dispatcher, fleet, { waitMs: 0 })];
  for (const { end } of failed) await expect(end).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(countOf(dispatcher)).toBe(0);
  const { id } = await createTask(app, fleet);
  expect(tasksOf(await offerTo(dispatcher, fleet, { waitMs: 0 }).end)).toEqual([id]);
});

test("a deadlock or a key bound elsewhere at the same moment costs nobody the answer", async () => {
  const fleet = await createFleet(app);
  const { dispatcher, hit } = newDispatcher();
  hit.mockRejectedValueOnce(Object.assign(new Error("deadlock"), { code: "40P01" }));
  hit.mockRejectedValueOnce(Object.assign(new Error("key"), { constraint_name: "dispatches_claim_key" }));
  const { id } = await createTask(app, fleet);
  expect(tasksOf(await offerTo(dispatcher, fleet, { waitMs: 0 }).end)).toEqual([id]);
});

test("tasks that come while waits end are handed out or stay in the queue, each once", async () => {
  const fleet = await createFleet(app);
  const { dispatcher } = newDispatcher();
  const taken: string[] = [];
  let isOver = false;
  const wait = async (n: number) => {
    for (let turn = 0; !isOver; turn++)
      taken.push(...tasksOf(await offerTo(dispatcher, fleet, { waitMs: 1 + ((n + turn) % 7) }).end));
  };
  const waiting = Array.from({ length: 20 }, (_, n) => wait(n));
  const created: string[] = [];
  for (let n = 0; n < 150; n++) {
    created.push((await createTask(app, fleet)).id);
    dispatcher.queued([placeIn(fleet)]);
  }
  isOver = true;
  await Promise.all(waiting);
  const { organization } = fleet;
  const { items } = await app.client.listTasks({
    query: { organization: [organization.slug], state: "queued", limit: 200 },
  });
  expect([...taken, ...items.map(({ id }) => id)].toSorted()).toEqual(created.toSorted());
  expect(taken.length).toBeGreaterThan(100);
  expect(countOf(dispatcher)).toBe(0);
});
