// Leases (D-24): the sweeper ends what was not heard of in time; whatever is heard first saves it.
import type { Handoff } from "@task-service/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createFleet, createTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { sweepLeases } from "./lease-sweeper.ts";

const maxLostDispatches = 5;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const take = async (organization: string, lease_seconds?: number): Promise<Handoff> => {
  const query = { organization, ...(lease_seconds && { lease_seconds }) };
  const handoff = await app.client.takeNextTask({ query });
  if (!handoff) throw new Error("nothing was handed over");
  return handoff;
};
const dispatched = async (lease_seconds?: number): Promise<Handoff> => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  return take(fleet.organization.slug, lease_seconds);
};
const expire = ({ dispatch }: Handoff) =>
  app.sql`update dispatches set lease_expires_at = now() - interval '1 ms' where id = ${dispatch.id}`;
const read = ({ dispatch }: Handoff) => app.client.getDispatch({ params: { id: dispatch.id } });
const readTask = ({ task }: Handoff) => app.client.getTask({ params: { id: task.id } });
const heartbeat = ({ dispatch }: Handoff) => app.client.heartbeatDispatch({ params: { id: dispatch.id } });
const sweep = () =>
  sweepLeases({ sql: app.sql, signals: app.engine.signals, maxLostDispatches, hit: createFailpoints(undefined) });

test("a lease that is over ends: the task is queued at its place, its worker's word is stale", async () => {
  const [lost, kept, endless] = [await dispatched(10), await dispatched(10), await dispatched()];
  await expire(lost);
  expect(await sweep()).toBe(1);
  expect(await sweep()).toBe(0);
  expect(await read(lost)).toMatchObject({ outcome: "expired", reason: expect.stringContaining("lease") });
  expect(await readTask(lost)).toMatchObject({ state: "queued", needs_attention: false });
  expect([(await read(kept)).outcome, (await read(endless)).outcome]).toEqual([null, null]);
  const { items } = await app.client.listTaskEvents({ params: { id: lost.task.id } });
  expect(items[0]).toMatchObject({
    type: "task.expired",
    actor: { sub: "task-service" },
    data: { dispatch_id: lost.dispatch.id, attempt: 1 },
  });
  await expect(heartbeat(lost)).rejects.toMatchObject({ code: "stale_dispatch" });
  const finishing = app.client.finishDispatch({ params: { id: lost.dispatch.id } });
  await expect(finishing).rejects.toMatchObject({ code: "stale_dispatch" });
  expect(await take(lost.task.organization_slug)).toMatchObject({
    task: { id: lost.task.id },
    dispatch: { attempt: 2 },
  });
});

test.each<[string, (handoff: Handoff) => Promise<unknown>]>([
  ["a heartbeat", heartbeat],
  [
    "a patch that names the dispatch, even one that changes nothing",
    ({ task, dispatch }) => app.client.updateTask({ params: { id: task.id }, body: { dispatch_id: dispatch.id } }),
  ],
])("%s renews it for its whole length", async (_, renew) => {
  const handoff = await dispatched(600);
  await expire(handoff);
  await renew(handoff);
  expect(await sweep()).toBe(0);
  const { outcome, lease_expires_at, last_heard_at } = await read(handoff);
  expect([outcome, Date.parse(lease_expires_at ?? "") - Date.parse(last_heard_at)]).toEqual([null, 600_000]);
});

test("a heartbeat gives no lease to a dispatch without one", async () => {
  expect(await heartbeat(await dispatched())).toMatchObject({ lease_seconds: null, lease_expires_at: null });
});

test("a renewal that commits before the sweeper's look saves it", async () => {
  const handoff = await dispatched(60);
  await expire(handoff);
  const sweeping = await app.sql.begin(async (transaction) => {
    await transaction`update dispatches set lease_expires_at = now() + interval '1 minute' where id = ${handoff.dispatch.id}`;
    const ended = sweep();
    await untilBlocked(app);
    return { ended };
  });
  expect(await sweeping.ended).toBe(0);
  expect((await read(handoff)).outcome).toBeNull();
});

test("five in a row need attention, and the sweeper lets the task rest", async () => {
  const first = await dispatched(10);
  const { organization_slug } = first.task;
  for (let handoff = first, n = 1; n <= maxLostDispatches; n++) {
    await expire(handoff);
    expect(await sweep()).toBe(1);
    if (n < maxLostDispatches) handoff = await take(organization_slug, 10);
  }
  expect(await readTask(first)).toMatchObject({ state: "dispatched", needs_attention: true, dispatch_count: 5 });
  expect(await sweep()).toBe(0);
});

test("two replicas sweep the same leases without ending one twice", async () => {
  const fleet = await createFleet(app);
  for (let n = 0; n < 20; n++) await createTask(app, fleet);
  for (let n = 0; n < 20; n++) await expire(await take(fleet.organization.slug, 10));
  const ended = await Promise.all([sweep(), sweep(), sweep()]);
  expect(ended.reduce((sum, one) => sum + one)).toBe(20);
});

test("sweeping goes on by itself until the process drains", async () => {
  const replica = await startTestApp({ beside: app, isBeating: true });
  const handoff = await dispatched(10);
  await expire(handoff);
  await vi.waitFor(async () => expect((await read(handoff)).outcome).toBe("expired"), { timeout: 5000 });
  await replica.close();
});
