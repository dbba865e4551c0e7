// Capacity signals (D-19): what a signal means, in which order it is settled, and what it is answered.
import { randomUUID } from "node:crypto";
import type { CapacityAnswer, CapacitySignal, Handoff, TaskCreate } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { park } from "../../test/park.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => expect(await findViolations(app)).toEqual([]));
afterAll(() => app.close());

const signal = (body: Partial<CapacitySignal>): Promise<CapacityAnswer> =>
  app.client.signalCapacity({ body: { executor: "e1", slots: 0, ...body } });
const filterOf = ({ organization }: Fleet) => ({ organization: organization.slug });
const createTasks = async (fleet: Fleet, count: number, body: Partial<TaskCreate> = {}): Promise<string[]> => {
  const [first] = Object.values(fleet.agentTypes);
  const task: TaskCreate = { prompt: "Do it", assignee_type: "agent", assignee: first?.id ?? "", ...body };
  const tasks = Array.from({ length: count }, () => task);
  return (await app.client.createTasks({ body: { tasks } })).items.map(({ id }) => id);
};
const tasksOf = ({ dispatches }: { dispatches: Handoff[] }): string[] => dispatches.map(({ task }) => task.id);
const dispatchesOf = ({ dispatches }: { dispatches: Handoff[] }): string[] =>
  dispatches.map(({ dispatch }) => dispatch.id);
const read = (id: string) => app.client.getDispatch({ params: { id } });
const readTask = (id: string) => app.client.getTask({ params: { id } });

test("the answer holds as many of the first tasks as there are slots, in the order of the queue", async () => {
  const fleet = await createFleet(app);
  const low = await createTasks(fleet, 2, { priority: -5 });
  const high = await createTasks(fleet, 2, { priority: 5 });
  const first = await signal({ ...filterOf(fleet), slots: 3, lease_seconds: 60, claim_key: randomUUID() });
  expect(tasksOf(first)).toEqual([...high, low[0]]);
  expect(first.revoked).toEqual([]);
  for (const { dispatch, task } of first.dispatches) {
    expect(dispatch).toMatchObject({ executor: "e1", lease_seconds: 60, attempt: 1, outcome: null });
    expect(await readTask(task.id)).toMatchObject({ state: "dispatched", current_dispatch_id: dispatch.id });
    expect(await read(dispatch.id)).toMatchObject({ ...dispatch, last_heard_at: expect.any(String) });
  }
  expect(tasksOf(await signal({ ...filterOf(fleet), slots: 100 }))).toEqual([low[1]]);
  expect(await signal({ ...filterOf(fleet), slots: 100 })).toEqual({ dispatches: [], revoked: [] });
});

test("slots are the total: a waiting signal of 3 and a newer one of 1 take one task, not four", async () => {
  const fleet = await createFleet(app);
  const send = (slots: number) => () => signal({ ...filterOf(fleet), slots, wait_seconds: 10 });
  const { answers: older } = await park(app, filterOf(fleet), send(3));
  const { answers: newer } = await park(app, filterOf(fleet), send(1));
  expect(await older[0]).toEqual({ dispatches: [], revoked: [] });
  const [first] = await createTasks(fleet, 5);
  expect(tasksOf((await newer[0]) ?? { dispatches: [] })).toEqual([first]);
});

test("no slot only reports: nothing is claimed or waited for, and an older waiting signal ends", async () => {
  const fleet = await createFleet(app);
  const send = () => signal({ ...filterOf(fleet), slots: 2, wait_seconds: 20 });
  const { answers } = await park(app, filterOf(fleet), send);
  expect(await signal({ ...filterOf(fleet), slots: 0, wait_seconds: 20 })).toEqual({ dispatches: [], revoked: [] });
  expect(await answers[0]).toEqual({ dispatches: [], revoked: [] });
  const [task = ""] = await createTasks(fleet, 1);
  expect(await signal({ ...filterOf(fleet), slots: 0, wait_seconds: 20 })).toEqual({ dispatches: [], revoked: [] });
  expect((await readTask(task)).state).toBe("queued");
});

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
test.each<[object, string]>([
  [{ slots: 101 }, "/slots"],
  [{ slots: -1 }, "/slots"],
  [{ slots: 1.5 }, "/slots"],
  [{ executor: "" }, "/executor"],
  [{ executor: "e".repeat(101) }, "/executor"],
  [{ wait_seconds: 51 }, "/wait_seconds"],
  [{ lease_seconds: 9 }, "/lease_seconds"],
  [{ lease_seconds: 86_401 }, "/lease_seconds"],
  [{ claim_key: "" }, "/claim_key"],
  [{ sequence: -1 }, "/sequence"],
  [{ sequence: 2 ** 53 }, "/sequence"],
  [{ agent_types: [] }, "/agent_types"],
  [{ holding: ids(1001) }, "/holding"],
  [{ finished: ids(1001) }, "/finished"],
  [{ finished: ["x"] }, "/finished/0"],
  [{ priorty: 1 }, "/priorty"],
])("%o is refused", async (body, pointer) => {
  await expect(signal(body)).rejects.toMatchObject(refusal("invalid_request", pointer));
});

test("filters that can never match are refused and change nothing, even beside what ended", async () => {
  const [fleet, other] = [await createFleet(app), await createFleet(app, ["writer"])];
  await createTasks(fleet, 1);
  const [held = ""] = dispatchesOf(await signal({ ...filterOf(fleet), executor: "filtered", slots: 1 }));
  const filters: [object, string][] = [
    [{ organization: "nobody" }, "/organization"],
    [{ organization: randomUUID() }, "/organization"],
    [{ agent_types: ["developer"] }, "/agent_types"],
    [{ agent_types: [randomUUID()] }, "/agent_types"],
    [{ ...filterOf(fleet), agent_types: ["developer", "writer"] }, "/agent_types"],
    [{ ...filterOf(fleet), agent_types: [other.agentTypes.writer?.id] }, "/agent_types"],
  ];
  for (const [filter, pointer] of filters) {
    const refused = signal({ executor: "filtered", slots: 1, wait_seconds: 20, finished: [held], ...filter });
    await expect(refused).rejects.toMatchObject(refusal("unknown_filter", pointer));
  }
  expect((await read(held)).outcome).toBeNull();
});

test("both filters must hold", async () => {
  const fleet = await createFleet(app);
  const { developer, reviewer } = fleet.agentTypes;
  const [forDeveloper] = await createTasks(fleet, 1, { assignee: developer?.id ?? "" });
  const [forReviewer] = await createTasks(fleet, 1, { assignee: reviewer?.id ?? "" });
  const of = (...agent_types: string[]) => signal({ ...filterOf(fleet), slots: 5, agent_types });
  expect(tasksOf(await of("reviewer"))).toEqual([forReviewer]);
  expect(tasksOf(await of(reviewer?.id ?? "", "developer", "developer"))).toEqual([forDeveloper]);
});

test("finished is settled before holding, holding before the claim", async () => {
  const fleet = await createFleet(app);
  const executor = "in-order";
  const tasks = await createTasks(fleet, 3);
  const [done = "", kept = "", lost = ""] = dispatchesOf(
    await signal({ ...filterOf(fleet), executor, slots: 3, sequence: 1, lease_seconds: 10 }),
  );
  await app.sql`update dispatches set lease_expires_at = now() + interval '1 second'`;
  const answer = await signal({
    ...filterOf(fleet),
    executor,
    slots: 2,
    sequence: 2,
    finished: [done],
    holding: [kept.toUpperCase(), done],
  });
  // What was lost is queued again before the claim, and there is nothing else.
  expect(answer).toMatchObject({ dispatches: [{ task: { id: tasks[2] }, dispatch: { attempt: 2 } }], revoked: [] });
  expect((await read(done)).outcome).toBe("finished");
  expect(await readTask(tasks[0] ?? "")).toMatchObject({ state: "dispatched", dispatch_ended_at: expect.any(String) });
  expect((await read(lost)).outcome).toBe("lost");
  const { outcome, lease_expires_at, last_heard_at } = await read(kept);
  expect([outcome, Date.parse(lease_expires_at ?? "") - Date.parse(last_heard_at)]).toEqual([null, 10_000]);
});

test("what was finished needs no free slot, and telling it twice is no fault", async () => {
  const fleet = await createFleet(app);
  await createTasks(fleet, 1);
  const finished = dispatchesOf(await signal({ ...filterOf(fleet), executor: "twice", slots: 1 }));
  for (let n = 0; n < 2; n++) {
    expect(await signal({ executor: "twice", finished })).toEqual({ dispatches: [], revoked: [] });
  }
  expect((await read(finished[0] ?? "")).outcome).toBe("finished");
});

test("named dispatches that are unknown, ended otherwise or another's come back as revoked and stay as they are", async () => {
  const fleet = await createFleet(app);
  await createTasks(fleet, 4);
  const mine = dispatchesOf(await signal({ ...filterOf(fleet), executor: "mine", slots: 2 }));
  const theirs = dispatchesOf(await signal({ ...filterOf(fleet), executor: "theirs", slots: 2 }));
  await app.client.releaseDispatch({ params: { id: mine[0] ?? "" } });
  await app.client.finishDispatch({ params: { id: mine[1] ?? "" } });
  const unknown = ids(2);
  for (const named of [
    { holding: [...mine, ...theirs, ...unknown] },
    { finished: [...theirs, ...unknown, mine[0] ?? ""] },
  ]) {
    const { dispatches, revoked } = await signal({ executor: "mine", slots: 0, ...named });
    expect(dispatches).toEqual([]);
    const isFinish = "finished" in named;
    // A finished one is no longer held either, but finishing it again is no fault.
    expect(revoked.toSorted()).toEqual([...theirs, ...unknown, mine[0], ...(isFinish ? [] : [mine[1]])].toSorted());
  }
  for (const id of theirs) expect((await read(id)).outcome).toBeNull();
});

test("revoked ones are told at once, although there would be time to wait", async () => {
  const fleet = await createFleet(app);
  const [gone = ""] = ids(1);
  const answer = await signal({ ...filterOf(fleet), slots: 1, wait_seconds: 15, holding: [gone] });
  expect(answer).toEqual({ dispatches: [], revoked: [gone] });
});

test("lists hold a thousand ids each", async () => {
  const [holding, finished] = [ids(1000), ids(1000)];
  const { revoked } = await signal({ executor: "many", slots: 0, holding, finished });
  expect(revoked.toSorted()).toEqual([...holding, ...finished].toSorted());
});

test("a burst spreads over those who wait, one task each per round, in order of arrival", async () => {
  const fleet = await createFleet(app);
  const send = (n: number) => signal({ ...filterOf(fleet), executor: `burst-${n}`, slots: 3, wait_seconds: 10 });
  const { answers: first } = await park(app, filterOf(fleet), () => send(1));
  const { answers: second } = await park(app, filterOf(fleet), () => send(2));
  const tasks = await createTasks(fleet, 4);
  const got = (await Promise.all([...first, ...second])).map(tasksOf);
  expect(got).toEqual([
    [tasks[0], tasks[2]],
    [tasks[1], tasks[3]],
  ]);
});

test("an answer that is full hands nothing on to others that stands behind what did not fit", async () => {
  const fleet = await createFleet(app);
  const prompt = "\u{1F600}".repeat(262_144);
  const send = (n: number) => signal({ ...filterOf(fleet), executor: `wide-${n}`, slots: 20, wait_seconds: 20 });
  const { answers } = await park(app, filterOf(fleet), send, 2);
  const first = fleet.agentTypes["developer"]?.id ?? null;
  const tasks = Array.from({ length: 40 }, (_, n) => ({
    assignee_type: "agent" as const,
    assignee: first,
    // All that falls to the first executor is large, all that falls to the second is small.
    prompt: n % 2 === 0 && n < 24 ? prompt : "small",
  }));
  const { items } = await app.client.createTasks({ body: { tasks } });
  const handed = (await Promise.all(answers)).flatMap(tasksOf);
  const order = items.map(({ id }) => id);
  const last = Math.max(...handed.map((id) => order.indexOf(id)));
  expect(handed.length).toBeLessThan(40);
  expect(handed.toSorted()).toEqual(order.slice(0, last + 1).toSorted());
});

test("an answer ends at about 8 MiB of text, but always holds one hand-over", async () => {
  const fleet = await createFleet(app);
  const prompt = "\u{1F600}".repeat(262_144);
  const tasks: string[] = [];
  for (let n = 0; n < 10; n++) tasks.push((await createTask(app, fleet, { prompt })).id);
  const first = await app.request("/capacity", {
    method: "POST",
    body: JSON.stringify({ executor: "large", slots: 100, ...filterOf(fleet) }),
  });
  const text = await first.text();
  expect(Buffer.byteLength(text)).toBeLessThan(8.5 * 1024 * 1024);
  expect(Buffer.byteLength(text)).toBeGreaterThan(6 * 1024 * 1024);
  const handed = tasksOf(JSON.parse(text) as CapacityAnswer);
  expect(handed).toEqual(tasks.slice(0, handed.length));
  // One hand-over may be larger than that by itself.
  await app.sql`update tasks set result = repeat('x', 9000000) where id = ${tasks[handed.length] ?? ""}`;
  const second = await signal({ executor: "large", slots: 100, ...filterOf(fleet) });
  expect(tasksOf(second)).toEqual([tasks[handed.length]]);
  expect(tasksOf(await signal({ executor: "large", slots: 100, ...filterOf(fleet) }))).toEqual(
    tasks.slice(handed.length + 1),
  );
});
