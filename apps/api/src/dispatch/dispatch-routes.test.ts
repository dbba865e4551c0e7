// Taking tasks over HTTP (D-20 to D-25): hand-over, filters, claim keys, and how dispatches end.
import type { Dispatch, Handoff, NextQuery, Task } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, personaFile } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const nobodysId = "00000000-0000-7000-8000-000000000000";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const idOf = ({ agentTypes }: Fleet, slug = "developer"): string => agentTypes[slug]?.id ?? "";
const read = ({ id }: Pick<Task, "id">): Promise<Task> => app.client.getTask({ params: { id } });
const types = async ({ id }: Pick<Task, "id">) =>
  (await app.client.listTaskEvents({ params: { id } })).items.map(({ type }) => type);
const takeOf = ({ organization }: Fleet, query: Partial<NextQuery> = {}): Promise<Handoff | null> =>
  app.client.takeNextTask({ query: { executor: "test-1", organization: organization.slug, ...query } });

/** A task that was just handed over, alone in a fleet of its own. */
const dispatched = async (query: Partial<NextQuery> = {}): Promise<Handoff & { fleet: Fleet }> => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  const handoff = await takeOf(fleet, query);
  if (!handoff) throw new Error("nothing was handed over");
  return { ...handoff, fleet };
};
const retake = async ({ fleet }: { fleet: Fleet }): Promise<Handoff> => {
  const handoff = await takeOf(fleet);
  if (!handoff) throw new Error("nothing was handed over");
  return handoff;
};
const finish = ({ dispatch: { id } }: Handoff): Promise<Dispatch> => app.client.finishDispatch({ params: { id } });
const release = ({ dispatch: { id } }: Handoff, reason?: string): Promise<Dispatch> =>
  app.client.releaseDispatch({ params: { id }, ...(reason && { body: { reason } }) });
const heartbeat = ({ dispatch: { id } }: Handoff): Promise<Dispatch> =>
  app.client.heartbeatDispatch({ params: { id } });
const requeue = ({ task: { id } }: Handoff, body = {}): Promise<Task> =>
  app.client.requeueTask({ params: { id }, body });

describe("GET /tasks/next", () => {
  test("hands over prompt and persona, and the task is dispatched", async () => {
    const fleet = await createFleet(app);
    const task = await createTask(app, fleet, { prompt: "Fix the login\n\nIt fails." });
    const handoff = await takeOf(fleet, { lease_seconds: 60 });
    expect(handoff).toEqual({
      dispatch: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        task_id: task.id,
        organization_id: fleet.organization.id,
        agent_type_id: idOf(fleet),
        agent_type_version_id: expect.any(String),
        executor: "test-1",
        actor: { sub: "executor", name: "executor" },
        attempt: 1,
        dispatched_at: expect.any(String),
        lease_seconds: 60,
        lease_expires_at: expect.any(String),
        last_heard_at: handoff?.dispatch.dispatched_at,
        input_tokens: 0,
        output_tokens: 0,
        ended_at: null,
        outcome: null,
        reason: null,
      },
      task: {
        ...task,
        state: "dispatched",
        executor: "test-1",
        dispatch_count: 1,
        current_dispatch_id: handoff?.dispatch.id,
        dispatched_at: handoff?.dispatch.dispatched_at,
        updated_at: expect.any(String),
        version: 2,
      },
      agent_type: {
        id: idOf(fleet),
        slug: "developer",
        name: "developer",
        description: "Does what a developer does",
        body: expect.any(String),
        is_active: true,
        source: fleet.agentTypes.developer?.source,
      },
      notes: [],
    });
    expect(personaFile("developer").endsWith(`---\n${handoff?.agent_type.body}`)).toBe(true);
    const { lease_expires_at, dispatched_at } = handoff?.dispatch ?? {};
    expect(Date.parse(lease_expires_at ?? "") - Date.parse(dispatched_at ?? "")).toBe(60_000);
    const { dispatch, agent_type } = handoff ?? {};
    expect(await app.client.getDispatch({ params: { id: dispatch?.id ?? "" } })).toEqual({ ...dispatch, agent_type });
  });

  test("is 204 and not stored when nothing waits", async () => {
    const response = await app.request(`/tasks/next?organization=${(await createFleet(app)).organization.slug}`);
    expect([response.status, await response.text(), response.headers.get("cache-control")]).toEqual([
      204,
      "",
      "no-store",
    ]);
  });

  test("names the executor after its caller unless it gives a name, and sets no lease", async () => {
    const { organization, agentTypes } = await createFleet(app);
    await createTask(app, { organization, agentTypes });
    const handoff = await app.client.takeNextTask({ query: { organization: organization.id } });
    expect(handoff?.dispatch).toMatchObject({ executor: "executor", lease_seconds: null, lease_expires_at: null });
  });

  test("HEAD claims nothing", async () => {
    const fleet = await createFleet(app);
    const task = await createTask(app, fleet);
    const response = await app.request(`/tasks/next?organization=${fleet.organization.slug}`, { method: "HEAD" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
    expect(await read(task)).toEqual(task);
  });

  test.each([
    ["?executor", "executor=a%20b"],
    ["?executor", `executor=${"x".repeat(101)}`],
    ["?claim_key", "claim_key="],
    ["?claim_key", `claim_key=${"x".repeat(256)}`],
    ["?lease_seconds", "lease_seconds=9"],
    ["?lease_seconds", "lease_seconds=86401"],
    ["?wait_seconds", "wait_seconds=51"],
    ["?organization", "organization=a&organization=b"],
    ["?agent_type/0", "agent_type="],
    ["?slots", "slots=2"],
  ])("names %s for %s", async (pointer, query) => {
    expect(await app.problem(`/tasks/next?${query}`)).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
  });
});

describe("filters", () => {
  test("let through an organization, agent types by id or slug, and both only together", async () => {
    const [here, there] = [await createFleet(app), await createFleet(app)];
    for (const assignee of [idOf(here), idOf(here, "reviewer"), idOf(there)]) await createTask(app, here, { assignee });
    expect(await takeOf(here, { agent_type: ["reviewer"] })).toMatchObject({ agent_type: { slug: "reviewer" } });
    expect(await takeOf(here, { agent_type: ["reviewer"] })).toBeNull();
    expect(await takeOf(here, { agent_type: ["reviewer", idOf(here).toUpperCase()] })).toMatchObject({
      agent_type: { id: idOf(here) },
    });
    expect(await takeOf(here)).toBeNull();
    expect(await app.client.takeNextTask({ query: { agent_type: [idOf(here), idOf(there)] } })).toMatchObject({
      task: { organization_id: there.organization.id },
    });
  });

  test("may name one agent type twice, by slug and id", async () => {
    const fleet = await createFleet(app);
    const agent_type = ["developer", idOf(fleet), idOf(fleet).toUpperCase(), "developer"];
    expect(await takeOf(fleet, { agent_type })).toBeNull();
  });

  test("of several agent types keep the one order", async () => {
    const fleet = await createFleet(app);
    const [developer, reviewer] = [idOf(fleet), idOf(fleet, "reviewer")];
    for (const [n, assignee] of [developer, reviewer, reviewer, developer].entries()) {
      await createTask(app, fleet, { assignee, title: `${n}`, priority: n === 3 ? 1 : 0 });
    }
    const order: (string | undefined)[] = [];
    for (let n = 0; n < 4; n++) order.push((await takeOf(fleet, { agent_type: [reviewer, developer] }))?.task.title);
    expect(order).toEqual(["3", "0", "1", "2"]);
  });

  test.each<[string, string, (fleet: Fleet, other: Fleet) => Partial<NextQuery>]>([
    ["an organization that is none", "?organization", () => ({ organization: "nobody" })],
    ["a slug without an organization", "?agent_type", () => ({ agent_type: ["developer"] })],
    [
      "a slug of another organization",
      "?agent_type",
      ({ organization: { slug } }) => ({ organization: slug, agent_type: ["developer", "tester"] }),
    ],
    ["an id that is none", "?agent_type", () => ({ agent_type: [nobodysId] })],
    [
      "an id of another organization",
      "?agent_type",
      (fleet, other) => ({ organization: fleet.organization.slug, agent_type: [idOf(other, "tester")] }),
    ],
  ])("%s can never match: 422", async (_, pointer, query) => {
    const [fleet, other] = [await createFleet(app), await createFleet(app, ["tester"])];
    const taking = app.client.takeNextTask({ query: query(fleet, other) });
    await expect(taking).rejects.toMatchObject(refusal("unknown_filter", pointer));
  });
});

describe("a claim key (D-22)", () => {
  test("repeated answers the same dispatch while it is live, and takes nothing more", async () => {
    const fleet = await createFleet(app);
    await createTask(app, fleet);
    const waiting = await createTask(app, fleet);
    const first = await takeOf(fleet, { claim_key: "k1" });
    expect(await takeOf(fleet, { claim_key: "k1" })).toEqual(first);
    expect(
      await app.client.takeNextTask({ query: { executor: "test-1", claim_key: "k1", lease_seconds: 10 } }),
    ).toEqual(first);
    expect(await read(waiting)).toMatchObject({ state: "queued" });
  });

  test("belongs to one executor", async () => {
    const fleet = await createFleet(app);
    const tasks = [await createTask(app, fleet), await createTask(app, fleet)];
    const handoffs = [
      await takeOf(fleet, { claim_key: "k2" }),
      await takeOf(fleet, { claim_key: "k2", executor: "test-2" }),
    ];
    expect(handoffs.map((one) => one?.task.id)).toEqual(tasks.map(({ id }) => id));
  });

  test("that came back empty is still free", async () => {
    const fleet = await createFleet(app);
    expect(await takeOf(fleet, { claim_key: "k3" })).toBeNull();
    const { id } = await createTask(app, fleet);
    expect(await takeOf(fleet, { claim_key: "k3" })).toMatchObject({ task: { id } });
  });

  test.each([
    ["finished", finish],
    ["released", release],
    ["requeued", requeue],
  ])("whose dispatch is %s is spent: 409", async (_, end) => {
    const handoff = await dispatched({ claim_key: "k4" });
    await end(handoff);
    await expect(takeOf(handoff.fleet, { claim_key: "k4" })).rejects.toMatchObject({ code: "claim_key_spent" });
    await app.sql`delete from dispatches where claim_key = 'k4'`;
    await app.client.deleteTask({ params: { id: handoff.task.id } });
  });
});

describe("an end (D-25)", () => {
  test("finish: the task stays dispatched; repeated it is 200, another end 409", async () => {
    const handoff = await dispatched();
    const ended = await finish(handoff);
    expect(ended).toMatchObject({ outcome: "finished", ended_at: expect.any(String), reason: null });
    expect(await finish(handoff)).toEqual(ended);
    expect(await read(handoff.task)).toMatchObject({
      state: "dispatched",
      current_dispatch_id: handoff.dispatch.id,
      dispatch_ended_at: ended.ended_at,
      needs_attention: false,
      version: 3,
    });
    for (const late of [release, heartbeat]) {
      await expect(late(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    }
    expect(await types(handoff.task)).toEqual(["task.finished", "task.dispatched", "task.created"]);
    expect(await takeOf(handoff.fleet)).toBeNull();
  });

  test("release: the task is queued at its place; repeated it is 200, also once it is dispatched anew", async () => {
    const handoff = await dispatched();
    await createTask(app, handoff.fleet);
    const ended = await release(handoff, "No key to the house");
    expect(ended).toMatchObject({ outcome: "released", reason: "No key to the house" });
    const cleared = { current_dispatch_id: null, executor: null, dispatched_at: null, dispatch_ended_at: null };
    expect(await read(handoff.task)).toMatchObject({ state: "queued", ...cleared, dispatch_count: 1 });
    const again = await retake(handoff);
    expect(again).toMatchObject({ task: { id: handoff.task.id }, dispatch: { attempt: 2 } });
    expect(await release(handoff)).toEqual(ended);
    expect(await read(handoff.task)).toEqual(again.task);
    await expect(finish(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    const { items } = await app.client.listTaskDispatches({ params: { id: handoff.task.id } });
    expect(items).toEqual([again.dispatch, ended]);
  });

  test("release may leave its body out, or say nothing in it", async () => {
    for (const init of [{}, { body: "{}" }, { body: '{"reason":null}' }]) {
      const { dispatch } = await dispatched();
      const response = await app.request(`/dispatches/${dispatch.id}/release`, { method: "POST", ...init });
      expect([response.status, await response.json()]).toMatchObject([200, { reason: null }]);
    }
  });

  test("five failures in a row need attention; a finish or a requeue begins anew", async () => {
    const handoff = await dispatched();
    for (let n = 0; n < 4; n++) {
      await release(n === 0 ? handoff : await retake(handoff));
      expect(await read(handoff.task)).toMatchObject({ state: "queued", needs_attention: false });
    }
    const last = await retake(handoff);
    const { ended_at } = await release(last);
    expect(await read(handoff.task)).toMatchObject({
      state: "dispatched",
      needs_attention: true,
      current_dispatch_id: last.dispatch.id,
      dispatch_ended_at: ended_at,
      dispatch_count: 5,
    });
    expect(await takeOf(handoff.fleet)).toBeNull();
    expect(await requeue(handoff)).toMatchObject({ state: "queued", needs_attention: false });
    await release(await retake(handoff));
    await finish(await retake(handoff));
    await requeue(handoff);
    for (let n = 0; n < 4; n++) await release(await retake(handoff));
    expect(await read(handoff.task)).toMatchObject({ state: "queued", needs_attention: false });
  });

  test.each(["finish", "release", "heartbeat"])("%s of no dispatch is 404, of no id 400", async (end) => {
    const init = { method: "POST" };
    expect(await app.problem(`/dispatches/${nobodysId}/${end}`, init)).toMatchObject({ code: "not_found" });
    expect(await app.problem(`/dispatches/1/${end}`, init)).toMatchObject({ errors: [{ pointer: "?id" }] });
  });

  test.each([
    ["/reason", '{"reason":5}'],
    ["/reason", `{"reason":"${"x".repeat(4097)}"}`],
    ["/why", '{"why":"x"}'],
  ])("release names %s for what is wrong", async (pointer, body) => {
    const { dispatch } = await dispatched();
    const problem = await app.problem(`/dispatches/${dispatch.id}/release`, { method: "POST", body });
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
    expect(await app.client.getDispatch({ params: { id: dispatch.id } })).toMatchObject({ outcome: null });
  });
});

describe("POST /tasks/{id}/requeue", () => {
  test("ends a live dispatch: its worker's word counts no more", async () => {
    const handoff = await dispatched();
    const task = await requeue(handoff, { reason: "Begin again" });
    expect(task).toMatchObject({ state: "queued", current_dispatch_id: null, version: 3 });
    expect(task.queued_at > handoff.task.queued_at).toBe(true);
    const { outcome, reason } = await app.client.getDispatch({ params: { id: handoff.dispatch.id } });
    expect([outcome, reason]).toEqual(["requeued", "Begin again"]);
    await expect(finish(handoff)).rejects.toMatchObject({ code: "stale_dispatch" });
    expect(await types(handoff.task)).toEqual(["task.requeued", "task.dispatched", "task.created"]);
  });

  test("keeps the outcome of a dispatch that had finished", async () => {
    const handoff = await dispatched();
    await finish(handoff);
    const response = await app.request(`/tasks/${handoff.task.id}/requeue`, { method: "POST" });
    expect([response.status, response.headers.get("etag")]).toEqual([200, '"4"']);
    expect(await finish(handoff)).toMatchObject({ outcome: "finished" });
  });

  test("is 409 for a queued task, a stale dispatch_id, 412 for another version", async () => {
    const handoff = await dispatched();
    const other = await dispatched();
    const { id } = handoff.task;
    await expect(requeue(handoff, { dispatch_id: other.dispatch.id })).rejects.toMatchObject({
      code: "stale_dispatch",
    });
    const old = app.client.requeueTask({ params: { id }, body: {}, headers: { "if-match": '"1"' } });
    await expect(old).rejects.toMatchObject({ code: "precondition_failed" });
    await requeue(handoff, { dispatch_id: handoff.dispatch.id });
    await expect(requeue(handoff)).rejects.toMatchObject({ code: "already_queued" });
    const person = { assignee_type: "user", assignee: "Ada", organization: handoff.fleet.organization.id } as const;
    const task = await createTask(app, handoff.fleet, person);
    await expect(app.client.requeueTask({ params: { id: task.id } })).rejects.toMatchObject({ code: "already_queued" });
  });
});

describe("GET /tasks/{id}/dispatches", () => {
  test("pages newest first, with a cursor of this task alone", async () => {
    const handoff = await dispatched();
    const seen = [handoff.dispatch.id];
    for (let n = 0; n < 4; n++) {
      await requeue(handoff);
      seen.unshift((await retake(handoff)).dispatch.id);
    }
    const params = { id: handoff.task.id };
    const first = await app.client.listTaskDispatches({ params, query: { limit: 3 } });
    const cursor = first.next_cursor ?? "";
    const second = await app.client.listTaskDispatches({ params, query: { limit: 3, cursor } });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(seen);
    expect(second.next_cursor).toBeNull();
    const foreign = app.client.listTaskDispatches({ params: { id: (await dispatched()).task.id }, query: { cursor } });
    await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });
});
