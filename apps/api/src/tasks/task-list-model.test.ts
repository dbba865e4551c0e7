// Lists of tasks by every filter, order and page size (D-16) against a straightforward look at all tasks; counts too (D-39).
import type { Task, TaskFilters, TaskQuery } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const labels = ["red", "green", "blue"];
const people = ["Ada", "Bo"];
const words = ["login", "logout", "parser", "pay", "zebra"];
const priorities = [-50, 0, 0, 50, 100];
const gitStates = ["open", "closed", "merged"] as const;

const gitState = {
  kind: "issue",
  draft: false,
  title: "An issue",
  labels: [],
  html_url: "https://git.example/acme/webshop/issues/1",
  updated_at: null,
  synced_at: "2026-11-21T09:30:00.000Z",
};

type Row = Task & { queue_seq: number | null };

let app: TestApp;
let fleets: Fleet[];
let rows: Row[];

const nth = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

/** Tasks in every state, of all kinds of assignee, in families, with labels, links and words. */
const populate = async (): Promise<void> => {
  const [here, there] = fleets as [Fleet, Fleet];
  const describe = (n: number) => ({
    prompt: `${nth(words, n)}-${n} ${nth(words, n * 7 + 3)}`,
    title: `${nth(words, n * 3 + 1)} ${n}`,
    priority: nth(priorities, n * 5 + (n >> 2)),
    labels: labels.filter((_, index) => (n >> index) % 3 === 0),
  });
  const roots = await createTasks(app, there, 6, (n) => ({
    ...describe(n),
    assignee: `${there.organization.slug}/tester`,
  }));
  const followUps = await createTasks(app, here, 60, (n) => ({
    ...describe(n + 6),
    parent_id: nth(roots, n).id,
    assignee: nth(Object.values(here.agentTypes), n).id,
  }));
  await createTasks(app, here, 40, (n) => ({
    ...describe(n + 66),
    parent_id: n % 2 === 0 ? nth(followUps, n).id : null,
    ...(n % 4 === 0
      ? { assignee_type: null, assignee: null, organization: nth(fleets, n).organization.slug }
      : { assignee_type: "user", assignee: nth(people, n), organization: nth(fleets, n >> 1).organization.slug }),
  }));
  for (let n = 0; n < 30; n++) {
    const { dispatch, task } = await takeTask(app, nth(fleets, n % 5 === 0 ? 1 : 0), { executor: `runner-${n % 2}` });
    if (n % 3 !== 0) await app.client.finishDispatch({ params: { id: dispatch.id } });
    if (n % 4 === 0) await app.client.requeueTask({ params: { id: task.id }, body: {} });
    else if (n % 5 === 1) await app.client.updateTask({ params: { id: task.id }, body: { result: `done ${n}` } });
  }
  // What only other parts of the service bring about, and creators that have no token here.
  await app.sql`update tasks set needs_attention = true where state = 'dispatched' and dispatch_ended_at is not null and priority = 0`;
  await app.sql`update tasks set created_by = '{"sub": "alice", "name": "alice"}' where priority = 50`;
  for (const [index, state] of gitStates.entries()) {
    await app.sql`update tasks set git_state = ${app.sql.json({ ...gitState, state })} where title like ${`%${index + 1}`}`;
  }
};

beforeAll(async () => {
  app = await startTestApp();
  fleets = [await createFleet(app, ["developer", "reviewer"]), await createFleet(app, ["tester"])];
  await populate();
  const places = await app.sql<{ id: string; queue_seq: number | null; prompt: string }[]>`
    select id, queue_seq, prompt from tasks
  `;
  rows = await Promise.all(
    places.map(async ({ id, queue_seq }) => ({ ...(await app.client.getTask({ params: { id } })), queue_seq })),
  );
});
afterAll(() => app.close());

const isLive = ({ state, dispatch_ended_at }: Row) => state === "dispatched" && dispatch_ended_at === null;

const hasWords = ({ title, prompt }: Row, q: string): boolean => {
  const split = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean);
  const there = split(`${title} ${prompt}`);
  const asked = split(q);
  return asked.every((word, index) =>
    there.some((one) => (index === asked.length - 1 ? one.startsWith(word) : one === word)),
  );
};

const isMatch = (row: Row, filters: TaskFilters): boolean => {
  const { state, live, organization, assignee_type, assignee, label, parent_id, root_id, created_by } = filters;
  const { needs_attention, git_state, priority_min, priority_max, q } = filters;
  return (
    (state === undefined || row.state === state) &&
    (live === undefined || isLive(row) === live) &&
    (organization === undefined || organization.includes(row.organization_slug)) &&
    (assignee_type === undefined || row.assignee_type === assignee_type) &&
    (assignee === undefined || assignee.includes(row.assignee ?? "")) &&
    (label === undefined || label.some((one) => row.labels.includes(one))) &&
    (parent_id === undefined || row.parent_id === parent_id) &&
    (root_id === undefined || row.root_id === root_id) &&
    (created_by === undefined || row.created_by.sub === created_by) &&
    (needs_attention === undefined || row.needs_attention === needs_attention) &&
    (git_state === undefined || row.git_state?.state === git_state) &&
    (priority_min === undefined || row.priority >= priority_min) &&
    (priority_max === undefined || row.priority <= priority_max) &&
    (q === undefined || hasWords(row, q))
  );
};

const compare = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));
const orders: Record<NonNullable<TaskQuery["sort"]>, (a: Row, b: Row) => number> = {
  "-created_at": (a, b) => compare(b.id, a.id),
  created_at: (a, b) => compare(a.id, b.id),
  "-updated_at": (a, b) => compare(b.updated_at, a.updated_at) || compare(b.id, a.id),
  queue: (a, b) => compare(b.priority, a.priority) || compare(a.queue_seq ?? 0, b.queue_seq ?? 0),
};

const expected = (filters: TaskFilters, sort: NonNullable<TaskQuery["sort"]>): Row[] =>
  rows
    .filter((row) => isMatch(row, filters))
    .filter((row) => sort !== "queue" || (row.state === "queued" && row.agent_type !== null))
    .toSorted(orders[sort]);

const some = <T>(values: () => readonly T[]) => fc.nat().map((n) => nth(values(), n));
const several = <T>(values: () => readonly T[]) => fc.array(some(values), { minLength: 1, maxLength: 3 });
const aSlug = some(() => fleets.map(({ organization }) => organization.slug));

/** A few filters at once, of values that mostly match something. */
const someFilters: fc.Arbitrary<TaskFilters> = fc
  .record(
    {
      state: fc.constantFrom("queued", "dispatched"),
      live: fc.boolean(),
      organization: fc.array(aSlug, { minLength: 1, maxLength: 2 }),
      assignee_type: fc.constantFrom("agent", "user"),
      assignee: several(() => [
        ...people,
        ...fleets.flatMap((fleet) => Object.values(fleet.agentTypes).map(({ id }) => id)),
      ]),
      label: several(() => [...labels, "none"]),
      parent_id: some(() => rows.map(({ id }) => id)),
      root_id: some(() => rows.map(({ id }) => id)),
      created_by: fc.constantFrom("alice", "executor"),
      needs_attention: fc.boolean(),
      git_state: fc.constantFrom(...gitStates),
      priority_min: fc.constantFrom(-50, 0, 1, 50),
      priority_max: fc.constantFrom(100, 50, 0, -1),
      q: fc
        .array(fc.constantFrom(...words, "log", "Pa", "p", "7"), { minLength: 1, maxLength: 2 })
        .map((all) => all.join(" ")),
    },
    { requiredKeys: [] },
  )
  .chain((all) =>
    fc
      .shuffledSubarray(Object.keys(all), { maxLength: 3 })
      .map((kept) => Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))) as TaskFilters),
  );

const allPages = async (query: TaskQuery): Promise<string[]> => {
  const { items, next_cursor } = await app.client.listTasks({ query });
  const ids = items.map(({ id }) => id);
  return next_cursor === null ? ids : [...ids, ...(await allPages({ ...query, cursor: next_cursor }))];
};

test("every list holds what matches, in order, page for page", async () => {
  const aSort = fc.constantFrom("-created_at", "created_at", "-updated_at", "queue");
  await fc.assert(
    fc.asyncProperty(someFilters, aSort, fc.integer({ min: 3, max: 60 }), async (filters, sort, limit) => {
      const wanted = expected(filters, sort).map(({ id }) => id);
      expect(await allPages({ ...filters, sort, limit })).toEqual(wanted);
    }),
    { numRuns: 400 },
  );
}, 60_000);

test("and counts tell how many that are", async () => {
  await fc.assert(
    fc.asyncProperty(someFilters, async (filters) => {
      const count = expected(filters, "created_at").length;
      expect(await app.client.countTasks({ query: filters })).toEqual({ count, exact: true });
    }),
    { numRuns: 150 },
  );
}, 30_000);
