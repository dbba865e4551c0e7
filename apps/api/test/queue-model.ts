// A model of the queue in memory (D-12, D-13, D-18, D-25): each call goes to the API too, and its answer must be the one predicted.
import { type NextQuery, ProblemError, type TaskCreate } from "@task-service/contract";
import { expect } from "vitest";
import type { TestApp } from "./test-app.ts";

interface ModelDispatch {
  id: string;
  outcome: "live" | "finished" | "released" | "requeued";
}

export interface ModelTask {
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

export interface Model {
  app: TestApp;
  /** In the order by which steps name them. */
  agentTypes: { id: string; organization_id: string }[];
  organizations: string[];
  maxLostDispatches: number;
  /** All there ever were, in the order of creation. */
  tasks: ModelTask[];
  nextSeq: number;
}

/** What waits for an executor, in the order of dispatch. */
export const queueOf = ({ tasks }: Model): ModelTask[] =>
  tasks
    .filter(({ isDeleted, isQueued, agentType }) => !isDeleted && isQueued && agentType !== undefined)
    .toSorted((a, b) => b.priority - a.priority || (a.seq ?? 0) - (b.seq ?? 0));

export const isLive = ({ isDeleted, dispatches }: ModelTask): boolean =>
  !isDeleted && dispatches.at(-1)?.outcome === "live";

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

/** One past the last agent type, of which there are four, is nobody. */
export type Draft = [priority: number, type: number];

export const create = async (model: Model, drafts: readonly Draft[]): Promise<void> => {
  const bodies = drafts.map(([priority, type]): TaskCreate => {
    const agentType = model.agentTypes[type]?.id;
    const [organization = ""] = model.organizations;
    return { prompt: "Do it", priority, ...assignmentTo(agentType), ...(agentType === undefined && { organization }) };
  });
  const [first] = bodies;
  const created =
    bodies.length === 1 && first
      ? [await model.app.client.createTask({ body: first })]
      : (await model.app.client.createTasks({ body: { tasks: bodies } })).items;
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

export const patch = async (model: Model, task: ModelTask, priority: number, type: number | null): Promise<void> => {
  const agentType = type === null ? task.agentType : model.agentTypes[type]?.id;
  const body = { priority, ...(type !== null && assignmentTo(agentType)) };
  const moves = agentType !== task.agentType;
  const refusal = task.isDeleted ? "not_found" : moves && isLive(task) ? "already_dispatched" : undefined;
  if (!(await expectRefusal(model.app.client.updateTask({ params: { id: task.id }, body }), refusal))) return;
  Object.assign(task, { priority, agentType });
  if (agentType !== undefined) task.seq ??= model.nextSeq++;
};

export const requeue = async (model: Model, task: ModelTask, named: "none" | "first" | "last"): Promise<void> => {
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
  if (!(await expectRefusal(model.app.client.requeueTask({ params: { id: task.id }, body }), refusal))) return;
  if (latest?.outcome === "live") latest.outcome = "requeued";
  Object.assign(task, { isQueued: true, failures: 0 });
};

/** `age` 0 is the latest dispatch of the task. */
export const end = async (
  model: Model,
  task: ModelTask,
  age: number,
  outcome: "finished" | "released",
): Promise<void> => {
  const dispatch = task.dispatches.at(-1 - age);
  if (!dispatch) return;
  const isOver = dispatch.outcome !== "live" && dispatch.outcome !== outcome;
  const refusal = task.isDeleted ? "not_found" : isOver ? "stale_dispatch" : undefined;
  const params = { id: dispatch.id };
  const call =
    outcome === "finished" ? model.app.client.finishDispatch({ params }) : model.app.client.releaseDispatch({ params });
  const isRepeated = dispatch.outcome === outcome;
  if (!(await expectRefusal(call, refusal)) || isRepeated) return;
  dispatch.outcome = outcome;
  task.failures = outcome === "finished" ? 0 : task.failures + 1;
  task.isQueued = outcome === "released" && task.failures < model.maxLostDispatches;
};

export const remove = async (model: Model, task: ModelTask): Promise<void> => {
  const refusal = task.isDeleted ? "not_found" : undefined;
  await expectRefusal(model.app.client.deleteTask({ params: { id: task.id } }), refusal);
  task.isDeleted = true;
};

/** `types`: a bit for each agent type that is let through, none for all; `organization`: of which fleet, if at all. */
export const take = async (model: Model, types: number, organization: number | null): Promise<void> => {
  const ofOrganization = model.agentTypes.filter(
    ({ organization_id }) => organization === null || organization_id === model.organizations[organization],
  );
  const named = ofOrganization.filter((_, index) => types & (1 << index)).map(({ id }) => id);
  const query: NextQuery = {
    ...(organization !== null && { organization: model.organizations[organization] ?? "" }),
    ...(named.length > 0 && { agent_type: named }),
  };
  const allowed = named.length > 0 ? named : ofOrganization.map(({ id }) => id);
  const expected = queueOf(model).find(({ agentType = "" }) => allowed.includes(agentType));
  const handoff = await model.app.client.takeNextTask({ query });
  expect(handoff?.task.id).toBe(expected?.id);
  if (!handoff || !expected) return;
  expect(handoff).toMatchObject({
    task: { priority: expected.priority, assignee: expected.agentType },
    dispatch: { attempt: expected.dispatches.length + 1 },
  });
  expected.isQueued = false;
  expected.dispatches.push({ id: handoff.dispatch.id, outcome: "live" });
};

export const look = async (model: Model, task: ModelTask): Promise<void> => {
  const queue = queueOf(model);
  const { items } = await model.app.client.listTasks({ query: { sort: "queue", limit: 200 } });
  expect(items.map(({ id }) => id)).toEqual(queue.map(({ id }) => id));
  const position = model.app.client.getTaskPosition({ params: { id: task.id } });
  if (!(await expectRefusal(position, task.isDeleted ? "not_found" : undefined))) return;
  expect((await position).position).toBe(queue.includes(task) ? queue.indexOf(task) + 1 : null);
  expect((await model.app.client.getTask({ params: { id: task.id } })).needs_attention).toBe(
    !task.isQueued && task.failures >= model.maxLostDispatches,
  );
};
