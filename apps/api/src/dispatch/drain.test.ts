// Draining (D-35): who waits is answered empty at once, what is under way ends well, nothing new is claimed.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let leaving: TestApp;
let fleet: Fleet;
let isDraining = false;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
beforeEach(async () => {
  isDraining = false;
  leaving = await startTestApp({
    beside: app,
    isBeating: true,
    isDraining: () => isDraining,
    env: { FAILPOINTS: "claim-committed=delay:200" },
  });
});
afterEach(async () => {
  expect(await findViolations(app)).toEqual([]);
  await leaving.close();
});
afterAll(() => app.close());
const drain = (): void => {
  isDraining = true;
  leaving.engine.drain();
};
const next = (waitSeconds: number, key = "") =>
  leaving.request(
    `/tasks/next?organization=${fleet.organization.slug}&wait_seconds=${waitSeconds}${key && `&claim_key=${key}`}`,
  );
const signal = (executor: string, waitSeconds: number) =>
  leaving.client.signalCapacity({
    body: { executor, organization: fleet.organization.slug, slots: 2, wait_seconds: waitSeconds },
  });
const nothing = { dispatches: [], revoked: [] };

test("all who wait are answered empty at once, and so is who comes later, whatever is queued", async () => {
  const filter = { organization: fleet.organization.slug };
  const polls = await park(leaving, filter, (n) => next(40, n % 2 === 0 ? `key-${n}` : ""), 20);
  const signals = await park(leaving, filter, (n) => signal(`e${n}`, 40), 20);
  const startMs = performance.now();
  drain();
  for (const response of await Promise.all(polls.answers)) expect(response.status).toBe(204);
  for (const answer of await Promise.all(signals.answers)) expect(answer).toEqual(nothing);
  const { id } = await createTask(app, fleet);
  const late = await next(40, "late");
  expect([late.status, late.headers.get("connection")]).toEqual([204, "close"]);
  expect(await signal("late", 40)).toEqual(nothing);
  expect(performance.now() - startMs).toBeLessThan(3000);
  expect((await takeTask(app, fleet)).task.id).toBe(id);
});

test("a claim that is under way is handed over whole", async () => {
  const { id } = await createTask(app, fleet);
  const taking = next(0);
  await expect
    .poll(async () => (await app.client.getTask({ params: { id } })).state, { interval: 10, timeout: 5000 })
    .toBe("dispatched");
  drain();
  const response = await taking;
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ task: { id }, dispatch: { attempt: 1, outcome: null } });
});

test("what was claimed before can still be finished, renewed and released", async () => {
  for (let n = 0; n < 3; n++) await createTask(app, fleet);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await signal(`e${n}`, 0)).dispatches[0]?.dispatch.id ?? "");
  drain();
  const [finished = ""] = ids;
  expect(await leaving.client.finishDispatch({ params: { id: finished } })).toMatchObject({ outcome: "finished" });
  expect(
    await leaving.client.signalCapacity({ body: { executor: "e0", slots: 5, finished: [finished], holding: [] } }),
  ).toEqual(nothing);
});
