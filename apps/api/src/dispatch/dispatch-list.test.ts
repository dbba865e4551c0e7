// GET /dispatches (D-25): filters, order, pages.
import type { Dispatch, DispatchQuery } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, takeTask } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleet: Fleet;
/** By executor `a` or `b`, finished or live, of the task created at that moment or once more of the first one. */
let made: Dispatch[];

const take = async (executor: string): Promise<Dispatch> => (await takeTask(app, fleet, { executor })).dispatch;

beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
  const ids: string[] = [];
  for (let index = 0; index < 12; index++) {
    await createTask(app, fleet);
    const { id } = await take(index % 3 ? "a" : "b");
    if (index % 2) await app.client.finishDispatch({ params: { id } });
    if (index === 0) await app.client.releaseDispatch({ params: { id } });
    ids.push(id);
  }
  const dispatches = await Promise.all(ids.map((id) => app.client.getDispatch({ params: { id } })));
  made = dispatches.map(({ agent_type: _, ...dispatch }) => dispatch);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const list = async (query: DispatchQuery): Promise<Dispatch[]> => (await app.client.listDispatches({ query })).items;

const isLive = ({ outcome }: Dispatch): boolean => outcome === null;
const expected = ({ executor, task, live }: DispatchQuery): Dispatch[] =>
  made
    .filter((one) => executor === undefined || one.executor === executor)
    .filter((one) => task === undefined || one.task_id === task)
    .filter((one) => live === undefined || isLive(one) === live)
    .toReversed();

describe("GET /dispatches", () => {
  test("lists all of them as they are, newest first", async () => {
    expect(await list({})).toEqual(made.toReversed());
  });

  const lives = [undefined, true, false];
  test.each(lives.flatMap((live) => [undefined, "a", "b", "c"].map((executor) => ({ executor, live }))))(
    "filters by executor and life: $executor $live",
    async ({ executor, live }) => {
      const query = { ...(executor !== undefined && { executor }), ...(live !== undefined && { live }) };
      expect(await list(query)).toEqual(expected(query));
    },
  );

  test("filters by task, alone and with the others", async () => {
    // The second task was taken right after the release of the first, which went ahead of it.
    const task = made[0]?.task_id ?? "";
    expect(expected({ task })).toHaveLength(2);
    for (const query of [{}, { live: true }, { live: false }, { executor: "a" }, { executor: "b", live: false }]) {
      expect(await list({ task, ...query })).toEqual(expected({ task, ...query }));
    }
    expect(await list({ task: task.toUpperCase() })).toEqual(expected({ task }));
    expect(await list({ task: fleet.organization.id })).toEqual([]);
  });

  test.each<DispatchQuery>([{}, { live: true }, { live: false }, { executor: "a" }, { executor: "a", live: false }])(
    "pages %j without gap or repeat",
    async (query) => {
      const seen: Dispatch[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await app.client.listDispatches({ query: { ...query, limit: 2, ...(cursor && { cursor }) } });
        seen.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(expected(query));
    },
  );

  test("binds a cursor to its filters", async () => {
    const { next_cursor } = await app.client.listDispatches({ query: { executor: "a", limit: 1 } });
    const cursor = next_cursor ?? "";
    for (const query of [{ cursor }, { cursor, executor: "b" }, { cursor, executor: "a", live: true }]) {
      await expect(app.client.listDispatches({ query })).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
    }
  });

  test.each([
    ["?task", "task=7"],
    ["?live", "live=1"],
    ["?executor", "executor=a%20b"],
    ["?executor", "executor=a&executor=b"],
    ["?state", "state=queued"],
  ])("names %s for %s", async (pointer, query) => {
    expect(await app.problem(`/dispatches?${query}`)).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer }],
    });
  });
});
