// Notes in hand-overs (D-21, D-38): what a worker gets of the ones before, and why dispatches were given up (D-25).
import { randomUUID } from "node:crypto";
import type { Handoff } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createHandoff, createTask, createTasks, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { maxAnswerBytes } from "./claim-queries.ts";
import { sweepLeases } from "./lease-sweeper.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const leave = (id: string, text: string) => app.client.createNote({ params: { id }, body: { text } });
const textsOf = ({ notes }: Handoff): string[] => notes.map(({ text }) => text);
const notesOf = async ({ task: { id } }: Handoff) => (await app.client.listNotes({ params: { id } })).items;
const typesOf = async ({ task: { id } }: Handoff) =>
  (await app.client.listTaskEvents({ params: { id } })).items.map(({ type }) => type);

describe("a hand-over carries", () => {
  test("the last 20 notes, oldest first, with who wrote them and when; nothing else of them", async () => {
    const fleet = await createFleet(app);
    const { id } = await createTask(app, fleet);
    for (let n = 1; n <= 23; n++) await leave(id, `${n}`);
    const handoff = await takeTask(app, fleet);
    expect(textsOf(handoff)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 4}`));
    expect(handoff.notes[0]).toEqual({
      at: expect.stringMatching(/Z$/),
      actor: { sub: "executor", name: "executor" },
      text: "4",
    });
    expect(handoff.task).not.toHaveProperty("note_count");
  });

  test("each task's own, of many at once, and none where there are none", async () => {
    const fleet = await createFleet(app);
    const tasks = await createTasks(app, fleet, 5);
    for (const [n, { id }] of tasks.entries()) if (n % 2 === 0) await leave(id, `Of ${n}`);
    const body = { executor: randomUUID(), slots: 5, organization: fleet.organization.slug };
    const { dispatches } = await app.client.signalCapacity({ body });
    expect(dispatches.map(textsOf)).toEqual([["Of 0"], [], ["Of 2"], [], ["Of 4"]]);
  });

  test("them again, with what was said since, when its claim key is repeated", async () => {
    const fleet = await createFleet(app);
    const { id } = await createTask(app, fleet);
    await leave(id, "Before");
    const claim_key = randomUUID();
    expect(textsOf(await takeTask(app, fleet, { claim_key }))).toEqual(["Before"]);
    await leave(id, "Since");
    expect(textsOf(await takeTask(app, fleet, { claim_key }))).toEqual(["Before", "Since"]);
  });

  test("so much text that an answer of many stays within its limit: notes count too", async () => {
    const fleet = await createFleet(app);
    const tasks = await createTasks(app, fleet, 4);
    const [first] = tasks;
    const text = "x".repeat(65_536);
    await Promise.all(tasks.flatMap(({ id }) => Array.from({ length: 20 }, () => leave(id, text))));
    await app.sql`update notes set text = repeat('🦀', 60000) where task_id = ${first?.id ?? ""}`;
    const body = { executor: randomUUID(), slots: 4, organization: fleet.organization.slug };
    const { dispatches } = await app.client.signalCapacity({ body });
    expect(dispatches.map(({ task }) => task.id)).toEqual(tasks.slice(0, 3).map(({ id }) => id));
    expect(Buffer.byteLength(JSON.stringify(dispatches))).toBeLessThan(maxAnswerBytes * 1.05);
  });
});

describe("a reason is a note", () => {
  const release = ({ dispatch: { id } }: Handoff, reason: string | null) =>
    app.client.releaseDispatch({ params: { id }, body: { reason } });
  const requeue = ({ task: { id } }: Handoff, reason: string | null) =>
    app.client.requeueTask({ params: { id }, body: { reason } });

  test.each([
    ["release", release, "task.released"],
    ["requeue", requeue, "task.requeued"],
  ])("for the next worker: %s, told by one event", async (_, giveUp, type) => {
    const handoff = await createHandoff(app);
    await giveUp(handoff, "No key to the house");
    const next = await takeTask(app, handoff.fleet);
    expect(textsOf(next)).toEqual(["No key to the house"]);
    expect(await notesOf(next)).toMatchObject([
      { text: "No key to the house", dispatch_id: handoff.dispatch.id, actor: { sub: "executor" } },
    ]);
    expect(await typesOf(next)).toEqual(["task.dispatched", type, "task.dispatched", "task.created"]);
  });

  test.each([
    ["release", release],
    ["requeue", requeue],
  ])("unless it says nothing: %s", async (_, giveUp) => {
    for (const reason of [null, "", " \n"]) {
      const handoff = await createHandoff(app);
      await giveUp(handoff, reason);
      expect(await notesOf(handoff)).toEqual([]);
    }
  });

  test("once, however often the release is repeated, and never for a dispatch that ended otherwise", async () => {
    const handoff = await createHandoff(app);
    await release(handoff, "Once");
    await release(handoff, "Twice");
    const again = await takeTask(app, handoff.fleet);
    await app.client.finishDispatch({ params: { id: again.dispatch.id } });
    await expect(release(again, "Too late")).rejects.toMatchObject({ code: "stale_dispatch" });
    expect((await notesOf(handoff)).map(({ text }) => text)).toEqual(["Once"]);
  });

  test("of a task that finished names its last dispatch", async () => {
    const handoff = await createHandoff(app);
    await app.client.finishDispatch({ params: { id: handoff.dispatch.id } });
    await requeue(handoff, "Not good enough");
    expect(await notesOf(handoff)).toMatchObject([{ dispatch_id: handoff.dispatch.id }]);
  });

  test("but not what the service says by itself", async () => {
    const handoff = await createHandoff(app, { lease_seconds: 10 });
    await app.sql`update dispatches set lease_expires_at = now() - interval '1 second' where id = ${handoff.dispatch.id}`;
    const { signals } = app.engine;
    const hit = async () => {};
    expect(await sweepLeases({ sql: app.sql, signals, maxLostDispatches: 5, hit })).toBe(1);
    expect(await notesOf(handoff)).toEqual([]);
  });
});
