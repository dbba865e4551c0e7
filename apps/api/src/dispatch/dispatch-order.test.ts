// The one order (D-18): random work of people and executors against a small model that predicts every dispatch.
import type { Handoff } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleets: Fleet[];
beforeAll(async () => {
  app = await startTestApp();
  fleets = [await createFleet(app), await createFleet(app)];
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

/** What the model knows of a task: enough to say when its turn is. */
interface Known {
  id: string;
  priority: number;
  /** Of the first assignment to an agent type; undefined before it. */
  seq: number | undefined;
  agentType: string | undefined;
  live: Handoff["dispatch"] | undefined;
  isQueued: boolean;
  failures: number;
}

interface World {
  tasks: Known[];
  nextSeq: number;
}

type Step = (world: World) => Promise<void>;

const agentTypes = () =>
  fleets.flatMap((fleet) =>
    Object.values(fleet.agentTypes).map(({ id, organization_id }) => ({ id, organization_id })),
  );
const ofOrganization = (organization: string) =>
  agentTypes().flatMap(({ id, organization_id }) => (organization_id === organization ? [id] : []));

/** The task that comes next among those of `allowed` agent types. */
const predicted = ({ tasks }: World, allowed: readonly string[]): Known | undefined =>
  tasks
    .filter(({ isQueued, agentType }) => isQueued && agentType !== undefined && allowed.includes(agentType))
    .toSorted((a, b) => b.priority - a.priority || (a.seq ?? 0) - (b.seq ?? 0))[0];

const assignment = (agentType: string | undefined) =>
  agentType === undefined
    ? ({ assignee_type: null, assignee: null } as const)
    : ({ assignee_type: "agent", assignee: agentType } as const);

const create =
  (priority: number, type: number): Step =>
  async (world) => {
    const agentType = agentTypes()[type]?.id;
    const organization = fleets[0]?.organization.slug ?? "";
    const [fleet] = fleets;
    if (!fleet) return;
    const { id } = await createTask(app, fleet, {
      priority,
      ...assignment(agentType),
      ...(agentType === undefined && { organization }),
    });
    const seq = agentType === undefined ? undefined : world.nextSeq++;
    world.tasks.push({ id, priority, seq, agentType, live: undefined, isQueued: true, failures: 0 });
  };

/** A step on some task that exists and fits. */
const on =
  (which: number, fits: (task: Known) => boolean, act: (task: Known, world: World) => Promise<void>): Step =>
  async (world) => {
    const fitting = world.tasks.filter(fits);
    const task = fitting[which % fitting.length];
    if (task) await act(task, world);
  };

const reprioritise = (which: number, priority: number): Step =>
  on(
    which,
    () => true,
    async (task) => {
      await app.client.updateTask({ params: { id: task.id }, body: { priority } });
      task.priority = priority;
    },
  );

const reassign = (which: number, type: number): Step =>
  on(
    which,
    ({ live }) => live === undefined,
    async (task, world) => {
      task.agentType = agentTypes()[type]?.id;
      await app.client.updateTask({ params: { id: task.id }, body: assignment(task.agentType) });
      if (task.agentType !== undefined) task.seq ??= world.nextSeq++;
    },
  );

const remove = (which: number): Step =>
  on(
    which,
    () => true,
    async (task, world) => {
      await app.client.deleteTask({ params: { id: task.id } });
      world.tasks = world.tasks.filter((one) => one !== task);
    },
  );

const finish = (which: number): Step =>
  on(
    which,
    ({ live }) => live !== undefined,
    async (task) => {
      await app.client.finishDispatch({ params: { id: task.live?.id ?? "" } });
      Object.assign(task, { live: undefined, failures: 0 });
    },
  );

const release = (which: number): Step =>
  on(
    which,
    ({ live }) => live !== undefined,
    async (task) => {
      await app.client.releaseDispatch({ params: { id: task.live?.id ?? "" } });
      Object.assign(task, { live: undefined, failures: task.failures + 1 });
      task.isQueued = task.failures < 5;
    },
  );

const requeue = (which: number): Step =>
  on(
    which,
    ({ isQueued }) => !isQueued,
    async (task) => {
      await app.client.requeueTask({ params: { id: task.id } });
      Object.assign(task, { live: undefined, failures: 0, isQueued: true });
    },
  );

const take =
  (filter: "none" | "organization" | "types", which: number): Step =>
  async (world) => {
    const organization = fleets[which % 2]?.organization.id ?? "";
    const some = agentTypes().flatMap(({ id }, index) => (which & (1 << index) ? [id] : []));
    const filters = {
      none: { query: {}, allowed: agentTypes().map(({ id }) => id) },
      organization: { query: { organization }, allowed: ofOrganization(organization) },
      types: { query: { agent_type: some }, allowed: some },
    };
    const { query, allowed } = filters[filter === "types" && some.length === 0 ? "none" : filter];
    const next = predicted(world, allowed);
    const handoff = await app.client.takeNextTask({ query });
    expect(handoff?.task.id).toBe(next?.id);
    if (next) Object.assign(next, { live: handoff?.dispatch, isQueued: false });
  };

const which = fc.nat(30);
const priority = fc.constantFrom(-32_768, -1, 0, 0, 0, 1, 32_767);
const type = fc.nat(4);
const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(priority, type).map(([p, t]) => ({ name: `create ${p} ${t}`, step: create(p, t) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("none", "organization", "types"), which)
      .map(([f, n]) => ({ name: `take ${f} ${n}`, step: take(f as "none", n) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(which, priority)
      .map(([n, p]) => ({ name: `reprioritise ${n} ${p}`, step: reprioritise(n, p) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(which, type).map(([n, t]) => ({ name: `reassign ${n} ${t}`, step: reassign(n, t) })),
  },
  { weight: 2, arbitrary: which.map((n) => ({ name: `release ${n}`, step: release(n) })) },
  { weight: 1, arbitrary: which.map((n) => ({ name: `finish ${n}`, step: finish(n) })) },
  { weight: 1, arbitrary: which.map((n) => ({ name: `requeue ${n}`, step: requeue(n) })) },
  { weight: 1, arbitrary: which.map((n) => ({ name: `remove ${n}`, step: remove(n) })) },
);

test("every dispatch is the one the model predicts, and the list says so beforehand", async () => {
  const work = fc.array(steps, { minLength: 40, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(work, async (all) => {
      const world: World = { tasks: [], nextSeq: 1 };
      for (const { step } of all) await step(world);
      const everything = agentTypes().map(({ id }) => id);
      const { items } = await app.client.listTasks({ query: { sort: "queue", limit: 200 } });
      for (const { id } of items) {
        expect(predicted(world, everything)?.id).toBe(id);
        await take("none", 0)(world);
      }
      await take("none", 0)(world);
      for (const { id } of world.tasks) await app.client.deleteTask({ params: { id } });
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);
