// Taking tasks over HTTP (D-20 to D-22): hand-over, filters, claim keys.
import type { Handoff, NextQuery, Task } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet, personaFile } from "../../test/factories.ts";
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
const takeOf = ({ organization }: Fleet, query: Partial<NextQuery> = {}): Promise<Handoff | null> =>
  app.client.takeNextTask({ query: { executor: "test-1", organization: organization.slug, ...query } });

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
    const same = { ...first, dispatch: { ...first?.dispatch, last_heard_at: expect.any(String) } };
    expect(await takeOf(fleet, { claim_key: "k1" })).toEqual(same);
    expect(
      await app.client.takeNextTask({ query: { executor: "test-1", claim_key: "k1", lease_seconds: 10 } }),
    ).toEqual(same);
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
    ["finished", ({ dispatch: { id } }: Handoff) => app.client.finishDispatch({ params: { id } })],
    ["released", ({ dispatch: { id } }: Handoff) => app.client.releaseDispatch({ params: { id } })],
    ["requeued", ({ task: { id } }: Handoff) => app.client.requeueTask({ params: { id } })],
  ])("whose dispatch is %s is spent: 409", async (outcome, end) => {
    const claim_key = `to be ${outcome}`.replaceAll(" ", "-");
    const handoff = await createHandoff(app, { claim_key });
    await end(handoff);
    await expect(takeOf(handoff.fleet, { claim_key })).rejects.toMatchObject({ code: "claim_key_spent" });
  });
});
