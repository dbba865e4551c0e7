// Who waits for the queue is told of each change that may concern it, and only once it is committed.
import type { Task, TaskPatch } from "@task-service/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { deleteDispatchesOfTask, renewing, reportUsage } from "../dispatch/dispatch-queries.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { createBulk } from "./bulk-creation.ts";
import { createBatching } from "./creation-batches.ts";
import type { Place } from "./queue-signals.ts";
import { deleteTask, type TaskDeps, updateTask } from "./task-service.ts";

let app: TestApp;
let fleet: Fleet;
let deps: TaskDeps;
let queued: (readonly Place[])[];
let ended: (readonly string[])[];
/** Where the queue had the signalled tasks, as another connection saw it at the moment of the signal. */
let seen: Promise<{ priority: number }[]>[];
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
  deps = {
    sql: app.sql,
    gitUrl: inject("gitUrl"),
    limits: { maxTaskDepth: 32, maxTasksPerRoot: 1000 },
    linked: () => {},
    hit: createFailpoints(undefined),
    dispatches: {
      renewing,
      reportUsage,
      deleteOfTask: deleteDispatchesOfTask,
    },
    signals: {
      queued: (places) => {
        queued.push(places);
        seen.push(
          app.database.background<{ priority: number }[]>`select priority from ready order by queue_seq desc`.execute(),
        );
      },
      ended: (ids) => ended.push(ids),
    },
  };
});
afterAll(() => app.close());
beforeEach(() => {
  queued = [];
  ended = [];
  seen = [];
});

const actor = { sub: "tester", name: "tester" };
const assignTo = (slug: string) => ({ assignee_type: "agent", assignee: fleet.agentTypes[slug]?.id ?? "" }) as const;
const placeOf = (slug: string): Place => ({
  organization_id: fleet.organization.id,
  agent_type_id: fleet.agentTypes[slug]?.id ?? "",
});
const patch = ({ id }: Task, body: TaskPatch) => updateTask(deps, id, body, undefined, actor);
const forNobody = () => ({ prompt: "Do the work", organization: fleet.organization.slug });
const createNobodys = () => app.client.createTask({ body: forNobody() });

describe("queued", () => {
  test("tells of a new task when it is in the queue", async () => {
    await createBatching(deps)({ request: { prompt: "Do", priority: 3, ...assignTo("developer") }, actor });
    expect(queued).toEqual([[placeOf("developer")]]);
    expect((await seen[0])?.[0]).toEqual({ priority: -3 });
  });

  test("is silent on a new task that is nobody's", async () => {
    await createBatching(deps)({ request: forNobody(), actor });
    expect(queued).toEqual([]);
  });

  test("tells of each task of a bulk", async () => {
    const tasks = [assignTo("developer"), assignTo("reviewer"), forNobody(), assignTo("developer")];
    await createBulk(deps, { tasks: tasks.map((task) => ({ prompt: "Do", ...task })) }, actor);
    expect(queued).toEqual([[placeOf("developer"), placeOf("reviewer"), placeOf("developer")]]);
  });

  test("tells of a new priority once it is committed", async () => {
    await patch(await createTask(app, fleet), { priority: 77 });
    expect(queued).toEqual([[placeOf("developer")]]);
    expect((await seen[0])?.[0]).toEqual({ priority: -77 });
  });

  test.each([
    ["another agent type", () => createTask(app, fleet)],
    ["an agent type at last", createNobodys],
  ])("tells of %s", async (_, create) => {
    await patch(await create(), assignTo("reviewer"));
    expect(queued).toEqual([[placeOf("reviewer")]]);
  });

  test.each<[string, TaskPatch]>([
    ["a title", { title: "Another" }],
    ["the priority it has", { priority: 0 }],
    ["its leaving for a person", { assignee_type: "user", assignee: "Ada" }],
  ])("is silent on %s", async (_, body) => {
    await patch(await createTask(app, fleet), body);
    expect(queued).toEqual([]);
  });

  test("is silent on the priority of what is dispatched", async () => {
    const { task } = await createHandoff(app);
    await patch(task, { priority: 9 });
    expect(queued).toEqual([]);
  });
});

describe("ended", () => {
  const remove = ({ id }: Task) => deleteTask(deps, id, undefined, actor);

  test("tells of the live dispatch of a task that is deleted", async () => {
    const { task, dispatch } = await createHandoff(app);
    await remove(task);
    expect(ended).toEqual([[dispatch.id]]);
  });

  test("is silent when its dispatch was over, or there was none", async () => {
    const { task, dispatch } = await createHandoff(app);
    await app.client.finishDispatch({ params: { id: dispatch.id } });
    await remove(task);
    await remove(await createTask(app, fleet));
    expect(ended).toEqual([]);
  });
});
