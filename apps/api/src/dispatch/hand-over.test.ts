// A caller that goes (D-26): it gets nothing, and what was claimed for it goes back, unless somebody did receive it.
import { randomUUID } from "node:crypto";
import type { NextQuery } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
/** Every claim is answered 300 ms after its commit. */
let slow: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  slow = await startTestApp({ beside: app, env: { FAILPOINTS: "claim-committed=delay:300" } });
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(async () => {
  await slow.close();
  await app.close();
});

const filterOf = ({ organization }: Fleet) => ({ organization: organization.slug });
const readDispatch = (id: string) => app.client.getDispatch({ params: { id } });

interface Call {
  /** Cuts the connection. */
  leave(): void;
  answer: Promise<unknown>;
}
const call = (send: (signal: AbortSignal) => Promise<unknown>): Call => {
  const caller = new AbortController();
  const answer = send(caller.signal).catch((error: Error) => error.name);
  return { leave: () => caller.abort(), answer };
};
const take = (fleet: Fleet, query: NextQuery = {}, { client } = slow): Call =>
  call((signal) => client.takeNextTask({ query: { executor: "e1", ...filterOf(fleet), ...query }, signal }));
/** The dispatches of the fleet's tasks that are committed, once there are so many. */
const committed = async ({ organization }: Fleet, count = 1): Promise<string[]> => {
  const find = () =>
    app.sql<{ id: string }[]>`select id from dispatches where organization_id = ${organization.id} order by id`;
  await expect.poll(async () => (await find()).length, { interval: 10, timeout: 5000 }).toBe(count);
  return (await find()).map(({ id }) => id);
};
const untilDisconnected = (id: string) =>
  expect.poll(async () => (await readDispatch(id)).outcome, { interval: 20, timeout: 5000 }).toBe("disconnected");
/** Resolves when a hand-over that was committed after all others until now has been taken back. */
const untilOthersWouldBe = async (): Promise<void> => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  const { leave, answer } = take(fleet);
  const [id = ""] = await committed(fleet);
  leave();
  await answer;
  await untilDisconnected(id);
};

test.each<[string, (fleet: Fleet) => Call]>([
  ["GET", (fleet) => take(fleet, { wait_seconds: 20 }, app)],
  [
    "signal",
    (fleet) =>
      call((signal) =>
        app.client.signalCapacity({ body: { executor: "e1", ...filterOf(fleet), slots: 3, wait_seconds: 20 }, signal }),
      ),
  ],
])("a waiting %s whose caller goes claims nothing any more", async (_, send) => {
  const fleet = await createFleet(app);
  const offer = vi.spyOn(app.engine, "offer");
  const { leave, answer } = send(fleet);
  await vi.waitFor(() => expect(offer).toHaveBeenCalledOnce(), { timeout: 5000 });
  const [standing] = offer.mock.results;
  offer.mockRestore();
  leave();
  const startMs = performance.now();
  expect(await standing?.value.end).toEqual({ kind: "empty" });
  expect(performance.now() - startMs).toBeLessThan(1000);
  expect(await answer).toBe("AbortError");
  const { id } = await createTask(app, fleet);
  expect(await takeTask(app, fleet)).toMatchObject({ task: { id }, dispatch: { attempt: 1 } });
});

test("what nobody received goes back to its place, without a failure, and its key is free", async () => {
  const fleet = await createFleet(app);
  const { id } = await createTask(app, fleet);
  const released = await takeTask(app, fleet);
  await app.client.releaseDispatch({ params: { id: released.dispatch.id } });
  const later = await createTask(app, fleet);
  const claim_key = randomUUID();
  const { leave, answer } = take(fleet, { claim_key });
  const [, dispatch = ""] = await committed(fleet, 2);
  leave();
  await answer;
  await untilDisconnected(dispatch);
  const [{ failures } = {}] = await app.sql`select failures from tasks where id = ${id}`;
  expect(failures).toBe(1);
  const { items } = await app.client.listTaskEvents({ params: { id } });
  expect(items[0]).toMatchObject({ type: "task.disconnected", data: { dispatch_id: dispatch, attempt: 2 } });
  const again = await app.client.takeNextTask({ query: { executor: "e1", ...filterOf(fleet), claim_key } });
  expect(again).toMatchObject({ task: { id }, dispatch: { attempt: 3 } });
  expect((await takeTask(app, fleet)).task.id).toBe(later.id);
});

test("a signal's hand-overs all go back, and wake who waits", async () => {
  const fleet = await createFleet(app);
  for (let n = 0; n < 3; n++) await createTask(app, fleet);
  const body = { executor: "e1", ...filterOf(fleet), slots: 3, claim_key: randomUUID() };
  const { leave, answer } = call((signal) => slow.client.signalCapacity({ body, signal }));
  const ids = await committed(fleet, 3);
  const waiting = slow.client.signalCapacity({
    body: { ...body, executor: "e2", claim_key: randomUUID(), wait_seconds: 10 },
  });
  leave();
  await answer;
  for (const id of ids) await untilDisconnected(id);
  expect((await waiting).dispatches[0]?.dispatch.attempt).toBe(2);
});

test("what was heard of meanwhile stays: a heartbeat", async () => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  const { leave, answer } = take(fleet);
  const [id = ""] = await committed(fleet);
  await app.client.heartbeatDispatch({ params: { id } });
  leave();
  await answer;
  await untilOthersWouldBe();
  expect((await readDispatch(id)).outcome).toBeNull();
});

test("what was heard of meanwhile stays: its claim key repeated to another replica", async () => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  const query = { executor: "e1", ...filterOf(fleet), claim_key: randomUUID() };
  const { leave, answer } = take(fleet, query);
  const [id = ""] = await committed(fleet);
  expect((await app.client.takeNextTask({ query }))?.dispatch.id).toBe(id);
  leave();
  await answer;
  await untilOthersWouldBe();
  expect((await readDispatch(id)).outcome).toBeNull();
});

test("a repeat whose caller goes while the first one waits asks the database nothing more, and is no sign of life", async () => {
  const fleet = await createFleet(app);
  const query = { claim_key: randomUUID(), wait_seconds: 15 };
  const { answers } = await park(slow, filterOf(fleet), () => Promise.resolve(take(fleet, query)));
  const underWay = vi.spyOn(slow.engine, "claimUnderWay");
  const repeat = take(fleet, query);
  await vi.waitFor(() => expect(underWay).toHaveBeenCalled(), { timeout: 5000 });
  repeat.leave();
  await repeat.answer;
  for (let n = 0; n < 20; n++) await slow.client.listTasks();
  expect(underWay.mock.calls.length).toBeLessThan(5);
  underWay.mockRestore();
  const { id } = await createTask(slow, fleet);
  const [dispatch = ""] = await committed(fleet);
  const first = await answers[0];
  first?.leave();
  await first?.answer;
  await untilDisconnected(dispatch);
  expect((await takeTask(app, fleet)).task.id).toBe(id);
});
