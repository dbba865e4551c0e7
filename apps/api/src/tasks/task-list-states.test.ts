// GET /tasks?state (D-16): found in the queue and among the dispatches, whatever the task went through.
import type { Task, TaskQuery } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let here: Fleet;
let there: Fleet;
let parent: Task;
/** By what they went through. */
let tasks: Record<string, Task>;

const slugOf = ({ organization }: Fleet) => organization.slug;
/** Creates a task and hands it over. */
const take = async (fleet: Fleet, title: string): Promise<{ id: string; dispatch: string }> => {
  await createTask(app, fleet, { title, priority: 100, parent_id: parent.id });
  const { task, dispatch } = await takeTask(app, fleet);
  return { id: task.id, dispatch: dispatch.id };
};

beforeAll(async () => {
  app = await startTestApp();
  here = await createFleet(app, ["developer", "reviewer"]);
  there = await createFleet(app, ["tester"]);
  parent = await createTask(app, here, { title: "parent" });
  await createTasks(app, here, 60, (n) => ({ title: `waits ${n}`, priority: n % 3 }));
  const finished = await take(there, "finished");
  const moved = await take(there, "finished, then moved");
  const persons = await take(here, "finished, then a person's");
  for (const { dispatch } of [finished, moved, persons]) await app.client.finishDispatch({ params: { id: dispatch } });
  await take(here, "live");
  const releasedTwice = await take(here, "released twice");
  await app.client.releaseDispatch({ params: { id: releasedTwice.dispatch }, body: {} });
  const again = await takeTask(app, here);
  const requeued = await take(here, "requeued");
  await app.client.releaseDispatch({ params: { id: again.dispatch.id }, body: {} });
  await app.client.requeueTask({ params: { id: requeued.id }, body: {} });
  const assignee = here.agentTypes.reviewer?.id ?? "";
  await app.client.updateTask({ params: { id: moved.id }, body: { assignee_type: "agent", assignee } });
  await app.client.updateTask({ params: { id: persons.id }, body: { assignee_type: "user", assignee: "Ada" } });
  await createTask(app, here, {
    title: "Ada's",
    assignee_type: "user",
    assignee: "Ada",
    organization: slugOf(here),
    parent_id: parent.id,
  });
  const everything = await allPages({});
  tasks = Object.fromEntries(everything.map((task) => [task.title, task as Task]));
});
afterAll(() => app.close());

const allPages = async (query: Partial<TaskQuery>) => {
  const items: { id: string; title: string; state: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await app.client.listTasks({ query: { limit: 7, ...query, ...(cursor !== null && { cursor }) } });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
};

/** The list that a look at every task would give. */
const expected = (state: string, matches: (task: Task) => boolean): string[] =>
  Object.values(tasks)
    .filter((task) => task.state === state && matches(task))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .map(({ title }) => title);

const filters: [string, () => Partial<TaskQuery>, (task: Task) => boolean][] = [
  ["of all", () => ({}), () => true],
  [
    "of an organization",
    () => ({ organization: [slugOf(here)] }),
    ({ organization_id }) => organization_id === here.organization.id,
  ],
  [
    "of another",
    () => ({ organization: [slugOf(there)] }),
    ({ organization_id }) => organization_id === there.organization.id,
  ],
  ["of two", () => ({ organization: [slugOf(here), slugOf(there)] }), () => true],
  [
    "of an agent type",
    () => ({ assignee: [`${slugOf(here)}/reviewer`] }),
    ({ agent_type }) => agent_type?.slug === "reviewer",
  ],
  [
    "of an agent type or a person",
    () => ({ assignee: [`${slugOf(there)}/tester`, "Ada"] }),
    ({ agent_type, assignee }) => agent_type?.slug === "tester" || assignee === "Ada",
  ],
  ["of a person", () => ({ assignee: ["Ada"] }), ({ assignee }) => assignee === "Ada"],
  ["of a parent", () => ({ parent_id: parent.id }), ({ parent_id }) => parent_id === parent.id],
];
const lists = (["queued", "dispatched"] as const).flatMap((state) =>
  filters.map(([name, query, matches]) => [state, name, query, matches] as const),
);

test("the tasks are in the states they were brought to", () => {
  const states = Object.fromEntries(Object.values(tasks).map(({ title, state }) => [title, state]));
  expect(states).toMatchObject({
    requeued: "queued",
    "released twice": "queued",
    live: "dispatched",
    finished: "dispatched",
    "finished, then moved": "dispatched",
    "finished, then a person's": "dispatched",
    "Ada's": "queued",
    "waits 0": "queued",
  });
});

describe("a list by state", () => {
  test.each(lists)("%s %s, page by page, in both directions", async (state, _, query, matches) => {
    const titles = expected(state, matches);
    const titlesIn = async (sort: "created_at" | "-created_at") =>
      (await allPages({ ...query(), state, sort })).map(({ title }) => title);
    expect(await titlesIn("-created_at")).toEqual(titles);
    expect(await titlesIn("created_at")).toEqual(titles.toReversed());
  });
});

describe("a list by state, with a long queue", () => {
  // Places alone make the queue long: what is looked for among the dispatches does not look at their tasks.
  beforeAll(async () => {
    for (const [fleet, slug] of [
      [here, "reviewer"],
      [there, "tester"],
    ] as const) {
      await app.sql`
        insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id)
        select 0, nextval('queue_seq'), gen_random_uuid(), ${fleet.organization.id}, ${fleet.agentTypes[slug]?.id ?? ""}
        from generate_series(1, 20001)
      `;
    }
  });
  const dispatched = lists.filter(([state]) => state === "dispatched");
  test.each(dispatched)("%s %s", async (state, _, query, matches) => {
    expect((await allPages({ ...query(), state })).map(({ title }) => title)).toEqual(expected(state, matches));
  });
});
