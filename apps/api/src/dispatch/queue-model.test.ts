// The queue against its model: random calls of people and executors, every answer predicted, and no state in between left.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import {
  create,
  type Draft,
  end,
  isLive,
  look,
  type Model,
  type ModelTask,
  patch,
  queueOf,
  remove,
  requeue,
  take,
} from "../../test/queue-model.ts";
import { startTestApp } from "../../test/test-app.ts";

const maxLostDispatches = 2;

let world: Omit<Model, "tasks" | "nextSeq">;
beforeAll(async () => {
  const app = await startTestApp({ env: { MAX_LOST_DISPATCHES: `${maxLostDispatches}` } });
  const fleets = [await createFleet(app), await createFleet(app)];
  world = {
    app,
    agentTypes: fleets.flatMap(({ agentTypes }) => Object.values(agentTypes)),
    organizations: fleets.map(({ organization }) => organization.id),
    maxLostDispatches,
  };
});
afterAll(() => world.app.close());

interface Step {
  name: string;
  run: (model: Model) => Promise<void>;
}

/** A step on one of the tasks there ever were: mostly on one that `fits`, so that it is not refused. */
const onTask = (
  name: string,
  which: number,
  fits: (task: ModelTask) => boolean,
  run: (model: Model, task: ModelTask) => Promise<void>,
): Step => ({
  name: `${name}, task ${which}`,
  run: async (model) => {
    const fitting = which % 4 === 3 ? [] : model.tasks.filter(fits);
    const tasks = fitting.length > 0 ? fitting : model.tasks;
    const task = tasks[which % tasks.length];
    if (task) await run(model, task);
  },
});
const isThere = ({ isDeleted }: ModelTask): boolean => !isDeleted;
const isDispatched = ({ isDeleted, isQueued }: ModelTask): boolean => !(isDeleted || isQueued);

const creates = (drafts: readonly Draft[]): Step => ({
  name: `create ${JSON.stringify(drafts)}`,
  run: (model) => create(model, drafts),
});
const takes = (types: number, organization: number | null): Step => ({
  name: `take ${types} of ${organization}`,
  run: (model) => take(model, types, organization),
});
const patches = (which: number, priority: number, type: number | null): Step =>
  onTask(`patch ${priority} ${type}`, which, isThere, (model, task) => patch(model, task, priority, type));
const requeues = (which: number, named: "none" | "first" | "last"): Step =>
  onTask(`requeue ${named}`, which, isDispatched, (model, task) => requeue(model, task, named));
const ends = (which: number, age: number, outcome: "finished" | "released"): Step =>
  onTask(`${outcome} ${age}`, which, isLive, (model, task) => end(model, task, age, outcome));
const removes = (which: number): Step => onTask("delete", which, isThere, remove);
const looks = (which: number): Step => onTask("look", which, isThere, look);

const which = fc.nat(15);
const priority = fc.constantFrom(-32_768, -1, 0, 0, 0, 0, 0, 1, 32_767);
const type = fc.constantFrom(0, 1, 2, 3, 4, 4);
const drafts = fc.array(fc.tuple(priority, type), { minLength: 1, maxLength: 3 });
const named = fc.constantFrom("none", "first", "last");
const age = fc.constantFrom(0, 0, 0, 1, 2);
const outcome = fc.constantFrom("finished", "released", "released");
const steps = fc.oneof(
  { weight: 2, arbitrary: drafts.map(creates) },
  { weight: 5, arbitrary: fc.tuple(fc.nat(15), fc.constantFrom(null, null, 0, 1)).map((args) => takes(...args)) },
  { weight: 3, arbitrary: fc.tuple(which, priority, fc.option(type, { freq: 2 })).map((args) => patches(...args)) },
  { weight: 2, arbitrary: fc.tuple(which, named).map((args) => requeues(...args)) },
  { weight: 4, arbitrary: fc.tuple(which, age, outcome).map((args) => ends(...args)) },
  { weight: 1, arbitrary: which.map(removes) },
  { weight: 1, arbitrary: which.map(looks) },
);

const nobody = 4;
const released = [takes(0, null), ends(0, 0, "released")];
/** What chance brings about too seldom: a task that leaves the queue and rejoins it, failures in a row, one after a requeue. */
const examples: [Step[]][] = [
  [
    [
      creates([
        [0, 0],
        [0, 0],
      ]),
      patches(0, 0, nobody),
      looks(1),
      patches(0, 0, 1),
      looks(0),
    ],
  ],
  [[creates([[0, 0]]), ...released, ...released, looks(0)]],
  [[creates([[0, 0]]), ...released, takes(0, null), requeues(0, "last"), ...released, looks(0)]],
];

test("every answer is the one the model predicts, and nothing is left in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 40 }), async (all) => {
      const model: Model = { ...world, tasks: [], nextSeq: 1 };
      for (const { run } of all) await run(model);
      while (queueOf(model).length > 0) await take(model, 0, null);
      expect(await world.app.client.takeNextTask()).toBeNull();
      expect(await findViolations(world.app)).toEqual([]);
      for (const task of model.tasks) await remove(model, task);
    }),
    { numRuns: 30, examples, endOnFailure: true },
  );
}, 60_000);
