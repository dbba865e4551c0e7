// POST /tasks under load: many creates share a statement, and none suffers for another.

import type { Actor, Task, TaskCreate } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createFleet, createTask, type Fleet, newSlug } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import type { Sql } from "../platform/database.ts";
import { createFailpoints } from "../platform/failpoints.ts";
import { createBatching } from "./creation-batches.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const actor: Actor = { sub: "tester", name: "tester" };
const organization = () => fleet.organization.slug;
const create = (body: Partial<TaskCreate>) => app.client.createTask({ body: { prompt: "Do the work", ...body } });
const forNobody = () => ({ prompt: "Do the work", organization: organization() });
const outcomesOf = (calls: Promise<Task | undefined>[]) =>
  Promise.all(calls.map((call) => call.catch((error: { code?: string }) => error)));
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** Creates without HTTP, on a pool that may be replaced, noting how many places each statement filled. */
const batching = (sql: Sql = app.sql) => {
  const sizes: number[] = [];
  const signals = { queued: (places: readonly unknown[]) => sizes.push(places.length), ended: () => {} };
  return {
    sizes,
    createInBatch: createBatching({
      sql,
      gitUrl: inject("gitUrl"),
      limits: { maxTaskDepth: 32, maxTasksPerRoot: 1000 },
      signals,
      linked: () => {},
      hit: createFailpoints(undefined),
    }),
  };
};

describe("300 creates at once", () => {
  test("are each answered with their own task", async () => {
    const parent = await createTask(app, fleet);
    const kinds: ((n: number) => Partial<TaskCreate>)[] = [
      () => ({ assignee_type: "agent", assignee: fleet.agentTypes.developer?.id ?? "" }),
      () => ({ assignee_type: "agent", assignee: `${organization()}/reviewer` }),
      (n) => ({ assignee_type: "user", assignee: `Person ${n}`, organization: organization() }),
      () => ({ organization: fleet.organization.id, parent_id: parent.id }),
    ];
    const wanted = many(300, (n) => ({
      ...kinds[n % 4]?.(n),
      prompt: `Prompt ${n} "quoted" \\ {a,b}\n🦀`,
      title: `Title ${n}`,
      labels: n % 3 === 0 ? [`label ${n}`, 'with "quotes", and {braces}'] : [],
      priority: n - 150,
    }));
    const tasks = await Promise.all(wanted.map(create));
    for (const [n, task] of tasks.entries()) {
      const { prompt, title, labels, priority } = wanted[n] ?? {};
      expect(task).toMatchObject({ prompt, title, labels, priority });
      expect(task.assignee_type).toBe(wanted[n]?.assignee_type ?? null);
      expect(task.parent_id).toBe(n % 4 === 3 ? parent.id : null);
      expect(await app.client.getTask({ params: { id: task.id } })).toEqual(task);
    }
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(300);
  });

  test("share statements of at most 100 tasks; the first two wait for nobody", async () => {
    const { sizes, createInBatch } = batching();
    const request = { prompt: "Do the work", assignee_type: "agent", assignee: `${organization()}/developer` } as const;
    await Promise.all(many(300, () => createInBatch({ request, actor })));
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 1, 98, 100, 100]);
  });

  test("with large prompts share smaller statements", async () => {
    const { sizes, createInBatch } = batching();
    const request = {
      prompt: "x".repeat(250_000),
      assignee_type: "agent",
      assignee: `${organization()}/developer`,
    } as const;
    await Promise.all(many(10, () => createInBatch({ request, actor })));
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 1, 4, 4]);
  });
});

describe("a create that fails", () => {
  test("hurts only itself: each fault is its own caller's", async () => {
    const faults: Record<number, [Partial<TaskCreate>, ReturnType<typeof refusal>]> = {
      7: [{ parent_id: "00000000-0000-7000-8000-000000000000" }, refusal("invalid_request", "/parent_id")],
      20: [{ assignee_type: "agent", assignee: "nobody/nothing" }, refusal("unknown_assignee", "/assignee")],
      31: [{ git_link: "https://elsewhere.example/a/b/issues/1" }, refusal("invalid_request", "/git_link")],
      44: [{ organization: "nobody" }, refusal("invalid_request", "/organization")],
    };
    const calls = many(50, (n) => create({ ...forNobody(), title: `${n}`, ...faults[n]?.[0] }));
    for (const [n, outcome] of (await outcomesOf(calls)).entries()) {
      expect(outcome).toMatchObject(faults[n]?.[1] ?? { title: `${n}` });
    }
  });

  test("because its organization is deleted meanwhile keeps nobody else waiting", async () => {
    const doomed = await app.client.createOrganization({ body: { slug: newSlug() } });
    const pending = await app.sql.begin(async (transaction) => {
      await transaction`delete from agent_syncs where organization_id = ${doomed.id}`;
      await transaction`delete from organizations where id = ${doomed.id}`;
      const calls = many(40, (n) => create({ ...forNobody(), ...(n % 8 === 0 && { organization: doomed.slug }) }));
      const others = calls.filter((_, n) => n % 8 !== 0);
      // The organization is still locked: whoever does not need it must not wait for it.
      expect(await Promise.all(others)).toHaveLength(35);
      await untilBlocked(app);
      return { doomed: outcomesOf(calls.filter((_, n) => n % 8 === 0)) };
    });
    for (const outcome of await pending.doomed) {
      expect(outcome).toMatchObject(refusal("invalid_request", "/organization"));
    }
  });

  test("for want of a lock is told so, while those who come later are served", async () => {
    const parent = await createTask(app, fleet);
    await app.sql.begin(async (transaction) => {
      await transaction`select from tasks where id = ${parent.id} for update`;
      const locked = create({ ...forNobody(), parent_id: parent.id }).catch((error: unknown) => error);
      await untilBlocked(app);
      const begin = performance.now();
      await create(forNobody());
      expect(performance.now() - begin).toBeLessThan(1000);
      expect(await locked).toMatchObject({ code: "database_unavailable" });
    });
  });

  test.each([
    [3, { title: "deadlocked" }],
    [4, { code: "40P01" }],
  ])("because of %i deadlocks is tried again, three times alone at most", async (deadlocks, outcome) => {
    const deadlock = Object.assign(new Error("deadlock detected"), { name: "PostgresError", code: "40P01" });
    let left = deadlocks;
    const sql = Object.assign((...query: Parameters<Sql>) => {
      const isInsert = String(query[0]).includes("insert into tasks");
      return isInsert && left-- > 0 ? Promise.reject(deadlock) : app.sql(...query);
    }, app.sql) as unknown as Sql;
    const { createInBatch } = batching(sql);
    const [created] = await outcomesOf([createInBatch({ request: { ...forNobody(), title: "deadlocked" }, actor })]);
    expect(created).toMatchObject(outcome);
  });

  test("because the database is gone fails with all of its batch, once", async () => {
    const gone = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
    let statements = 0;
    const sql = (() => {
      statements++;
      return Promise.reject(gone);
    }) as unknown as Sql;
    const { createInBatch } = batching(sql);
    const outcomes = await outcomesOf(many(2, () => createInBatch({ request: forNobody(), actor })));
    expect([outcomes, statements]).toEqual([[gone, gone], 2]);
  });
});

test("a database that never answers keeps only those who asked it then", async () => {
  let isFrozen = true;
  const sql = Object.assign(
    (...query: Parameters<Sql>) => (isFrozen ? new Promise(() => {}) : app.sql(...query)),
    app.sql,
  ) as unknown as Sql;
  const { createInBatch } = batching(sql);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (const request of many(2, forNobody)) void createInBatch({ request, actor });
    const later = createInBatch({ request: { ...forNobody(), title: "later" }, actor });
    isFrozen = false;
    vi.advanceTimersByTime(6000);
    vi.useRealTimers();
    expect(await later).toMatchObject({ title: "later" });
  } finally {
    vi.useRealTimers();
  }
});
