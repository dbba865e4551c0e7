// The queue against a model of a few lines (D-12, D-13, D-18, D-25): random calls of people and executors, every answer predicted.
import { type NextQuery, ProblemError, type TaskCreate } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, type Fleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const maxLostDispatches = 2;

let app: TestApp;
let fleets: Fleet[];
beforeAll(async () => {
  app = await startTestApp({ env: { MAX_LOST_DISPATCHES: `${maxLostDispatches}` } });
  fleets = [await createFleet(app), await createFleet(app)];
});
afterAll(() => app.close());

interface ModelDispatch {
  id: string;
  outcome: "live" | "finished" | "released" | "requeued";
}

interface ModelTask {
  id: string;
  priority: number;
  /** Of the first assignment to an agent type, for life. */
  seq: number | undefined;
  agentType: string | undefined;
  isQueued: boolean;
  isDeleted: boolean;
  failures: number;
  dispatches: ModelDispatch[];
}

interface Model {
  tasks: ModelTask[];
  nextSeq: number;
}

const agentTypes = () =>
  fleets.flatMap((fleet) =>
    Object.values(fleet.agentTypes).map(({ id, organization_id }) => ({ id, organization_id })),
  );

/** What waits for an executor, in the order of dispatch. */
const queueOf = ({ tasks }: Model): ModelTask[] =>
  tasks
    .filter(({ isDeleted, isQueued, agentType }) => !isDeleted && isQueued && agentType !== undefined)
    .toSorted((a, b) => b.priority - a.priority || (a.seq ?? 0) - (b.seq ?? 0));

const isLive = ({ dispatches }: ModelTask): boolean => dispatches.at(-1)?.outcome === "live";

/** Expects the call to be refused with `code`, or to succeed if that is undefined; tells whether it did. */
const expectRefusal = async (call: Promise<unknown>, code: string | undefined): Promise<boolean> => {
  const refused = await call.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ProblemError) return error.code;
      throw error;
    },
  );
  expect(refused).toBe(code);
  return refused === undefined;
};

const assignmentTo = (agentType: string | undefined) =>
  agentType === undefined
    ? ({ assignee_type: null, assignee: null } as const)
    : ({ assignee_type: "agent", assignee: agentType } as const);

/** One past the last agent type is nobody. */
type Draft = [priority: number, type: number];

const create = async (model: Model, drafts: readonly Draft[]): Promise<void> => {
  const bodies = drafts.map(([priority, type]): TaskCreate => {
    const agentType = agentTypes()[type]?.id;
    const organization = fleets[0]?.organization.id ?? "";
    return { prompt: "Do it", priority, ...assignmentTo(agentType), ...(agentType === undefined && { organization }) };
  });
  const [first] = bodies;
  const created =
    bodies.length === 1 && first
      ? [await app.client.createTask({ body: first })]
      : (await app.client.createTasks({ body: { tasks: bodies } })).items;
  expect(created).toHaveLength(drafts.length);
  for (const { id, priority, assignee } of created) {
    const agentType = assignee ?? undefined;
    const seq = agentType === undefined ? undefined : model.nextSeq++;
    model.tasks.push({
      id,
      priority,
      seq,
      agentType,
      isQueued: true,
      isDeleted: false,
      failures: 0,
      dispatches: [],
    });
  }
};

const patch = async (model: Model, task: ModelTask, priority: number, type: number | null): Promise<void> => {
  const agentType = type === null ? task.agentType : agentTypes()[type]?.id;
  const body = { priority, ...(type !== null && assignmentTo(agentType)) };
  const moves = agentType !== task.agentType;
  const refusal = task.isDeleted ? "not_found" : moves && isLive(task) ? "already_dispatched" : undefined;
  if (!(await expectRefusal(app.client.updateTask({ params: { id: task.id }, body }), refusal))) return;
  Object.assign(task, { priority, agentType });
  if (agentType !== undefined) task.seq ??= model.nextSeq++;
};

const requeue = async (task: ModelTask, named: "none" | "first" | "last"): Promise<void> => {
  const latest = task.dispatches.at(-1);
  const dispatch = { none: undefined, first: task.dispatches[0], last: latest }[named];
  const isStale = dispatch !== undefined && (task.isQueued || dispatch !== latest);
  const refusal = task.isDeleted
    ? "not_found"
    : isStale
      ? "stale_dispatch"
      : task.isQueued
        ? "already_queued"
        : undefined;
  const body = dispatch ? { dispatch_id: dispatch.id } : {};
  if (!(await expectRefusal(app.client.requeueTask({ params: { id: task.id }, body }), refusal))) return;
  if (latest?.outcome === "live") latest.outcome = "requeued";
  Object.assign(task, { isQueued: true, failures: 0 });
};

const end = async (task: ModelTask, which: number, outcome: "finished" | "released"): Promise<void> => {
  const dispatch = task.dispatches[which % task.dispatches.length];
  if (!dispatch) return;
  const isOver = dispatch.outcome !== "live" && dispatch.outcome !== outcome;
  const refusal = task.isDeleted ? "not_found" : isOver ? "stale_dispatch" : undefined;
  const params = { id: dispatch.id };
  const call = outcome === "finished" ? app.client.finishDispatch({ params }) : app.client.releaseDispatch({ params });
  const isRepeated = dispatch.outcome === outcome;
  if (!(await expectRefusal(call, refusal)) || isRepeated) return;
  dispatch.outcome = outcome;
  task.failures = outcome === "finished" ? 0 : task.failures + 1;
  task.isQueued = outcome === "released" && task.failures < maxLostDispatches;
};

const remove = async (task: ModelTask): Promise<void> => {
  const refusal = task.isDeleted ? "not_found" : undefined;
  await expectRefusal(app.client.deleteTask({ params: { id: task.id } }), refusal);
  task.isDeleted = true;
};

/** `types`: a bit for each agent type that is let through, none for all; `organization`: of which fleet, if at all. */
const take = async (model: Model, types: number, organization: number | null): Promise<void> => {
  const ofOrganization = agentTypes().filter(
    ({ organization_id }) => organization === null || organization_id === fleets[organization]?.organization.id,
  );
  const named = ofOrganization.filter((_, index) => types & (1 << index)).map(({ id }) => id);
  const query: NextQuery = {
    ...(organization !== null && { organization: fleets[organization]?.organization.slug ?? "" }),
    ...(named.length > 0 && { agent_type: named }),
  };
  const allowed = named.length > 0 ? named : ofOrganization.map(({ id }) => id);
  const expected = queueOf(model).find(({ agentType = "" }) => allowed.includes(agentType));
  const handoff = await app.client.takeNextTask({ query });
  expect(handoff?.task.id).toBe(expected?.id);
  if (!handoff || !expected) return;
  expect(handoff).toMatchObject({
    task: { priority: expected.priority, assignee: expected.agentType },
    dispatch: { attempt: expected.dispatches.length + 1 },
  });
  expected.isQueued = false;
  expected.dispatches.push({ id: handoff.dispatch.id, outcome: "live" });
};

const look = async (model: Model, task: ModelTask): Promise<void> => {
  const queue = queueOf(model);
  const { items } = await app.client.listTasks({ query: { sort: "queue", limit: 200 } });
  expect(items.map(({ id }) => id)).toEqual(queue.map(({ id }) => id));
  const position = app.client.getTaskPosition({ params: { id: task.id } });
  if (!(await expectRefusal(position, task.isDeleted ? "not_found" : undefined))) return;
  expect((await position).position).toBe(queue.includes(task) ? queue.indexOf(task) + 1 : null);
  expect((await app.client.getTask({ params: { id: task.id } })).needs_attention).toBe(
    !task.isQueued && task.failures >= maxLostDispatches,
  );
};

interface Step {
  name: string;
  run: (model: Model) => Promise<void>;
}

/** A step on one of the tasks there ever were. */
const onTask = (name: string, which: number, run: (task: ModelTask, model: Model) => Promise<void>): Step => ({
  name: `${name}, task ${which}`,
  run: async (model) => {
    const task = model.tasks[which % model.tasks.length];
    if (task) await run(task, model);
  },
});

const which = fc.nat(11);
const priority = fc.constantFrom(-32_768, -1, 0, 0, 0, 1, 32_767);
const type = fc.nat(4);
const drafts = fc.array(fc.tuple(priority, type), { minLength: 1, maxLength: 4 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: drafts.map((d) => ({ name: `create ${JSON.stringify(d)}`, run: (m: Model) => create(m, d) })),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(15), fc.constantFrom(null, null, 0, 1)).map(([types, organization]) => ({
      name: `take ${types} of ${organization}`,
      run: (model: Model) => take(model, types, organization),
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(which, priority, fc.option(type))
      .map(([w, p, t]) => onTask(`patch ${p} ${t}`, w, (task, model) => patch(model, task, p, t))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(which, fc.constantFrom("none", "first", "last"))
      .map(([w, named]) => onTask(`requeue ${named}`, w, (task) => requeue(task, named))),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(which, which, fc.constantFrom("finished", "released"))
      .map(([w, d, outcome]) => onTask(`${outcome} ${d}`, w, (task) => end(task, d, outcome))),
  },
  { weight: 1, arbitrary: which.map((w) => onTask("delete", w, remove)) },
  { weight: 1, arbitrary: which.map((w) => onTask("look", w, (task, model) => look(model, task))) },
);

test("every answer is the one the model predicts, and nothing is left in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 40 }), async (all) => {
      const model: Model = { tasks: [], nextSeq: 1 };
      for (const { run } of all) await run(model);
      while (queueOf(model).length > 0) await take(model, 0, null);
      expect(await app.client.takeNextTask()).toBeNull();
      expect(await findViolations(app)).toEqual([]);
      for (const task of model.tasks) await remove(task);
    }),
    { numRuns: 50, endOnFailure: true },
  );
}, 60_000);
