// Low marks (reliability.md 5.4): how far they move, and when they are forgotten.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import type { Sql, Transaction } from "../platform/database.ts";
import { createLowMarks } from "./low-marks.ts";
import { queueHead, type Scope } from "./queue-head.ts";

let app: TestApp;
let sql: Sql;
beforeAll(async () => {
  app = await startTestApp();
  sql = app.sql;
});
beforeEach(() => sql`delete from ready`);
afterAll(() => app.close());

const scopes: Scope[] = [{ kind: "everything", id: null }];
const somewhere = randomUUID();
const draw = async (): Promise<number> => {
  const [{ seq } = { seq: 0 }] = await sql<{ seq: number }[]>`select nextval('queue_seq') as seq`;
  return seq;
};
const insert = (queryable: Sql | Transaction, seq: number, returned: boolean) => queryable`
  insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id, returned)
  values (0, ${seq}, ${randomUUID()}, ${somewhere}, ${somewhere}, ${returned})
`;

test("after thousands of claims under an old snapshot, claims begin behind what is gone", async () => {
  let nowMs = 0;
  const marks = createLowMarks(sql, () => nowMs);
  await sql`
    insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id)
    select 0, nextval('queue_seq'), gen_random_uuid(), ${somewhere}, ${somewhere} from generate_series(1, 5000)
  `;
  const firstSeq = async (): Promise<number> => {
    const spans = marks.spansOf(scopes);
    const [row] = await sql<{ queue_seq: number }[]>`${queueHead(sql, spans, "everything", 64)}`;
    return row?.queue_seq ?? 0;
  };
  const start = await firstSeq();
  await sql.begin(async (snapshot) => {
    await snapshot`set transaction isolation level repeatable read`;
    await snapshot`select from ready limit 1`;
    await sql`delete from ready where queue_seq < ${start + 4000}`;
    marks.taken(scopes, [0]);
    await marks.refresh();
    nowMs += 15_000;
    await marks.refresh();
    expect(Math.max(...marks.spansOf(scopes).map(({ fromSeq }) => fromSeq))).toBe(start + 4000);
    expect(await firstSeq()).toBe(start + 4000);
    // What returns stands before the mark, and is found all the same.
    await insert(sql, start + 7, true);
    expect(await firstSeq()).toBe(start + 7);
  });
  nowMs += 60_001;
  await marks.refresh();
  expect(await firstSeq()).toBe(start + 7);
});

test("a queue that is empty is marked up to the last number that is settled, not beyond", async () => {
  let nowMs = 0;
  const marks = createLowMarks(sql, () => nowMs);
  const settled = await draw();
  marks.taken(scopes, [0]);
  await marks.refresh();
  nowMs += 14_999;
  await marks.refresh();
  expect(marks.spansOf(scopes)).toHaveLength(1);
  // Its number is drawn, and it is not committed when the mark moves.
  const late = await draw();
  nowMs += 1;
  await sql.begin(async (transaction) => {
    await insert(transaction, late, false);
    await marks.refresh();
  });
  expect(marks.spansOf(scopes).map(({ fromSeq }) => fromSeq)).toEqual([0, settled + 1]);
  const found = await sql<{ queue_seq: number }[]>`${queueHead(sql, marks.spansOf(scopes), "everything", 64)}`;
  expect(found.map(({ queue_seq }) => queue_seq)).toEqual([late]);
});

test("numbers that a crash gives out again forget all marks", async () => {
  let nowMs = 0;
  const marks = createLowMarks(sql, () => nowMs);
  const last = await draw();
  marks.taken(scopes, [0]);
  for (let n = 0; n < 2; n++) {
    await marks.refresh();
    nowMs += 15_000;
  }
  expect(marks.spansOf(scopes)).toHaveLength(2);
  await sql`select setval('queue_seq', ${last - 1})`;
  await marks.refresh();
  expect(marks.spansOf(scopes)).toHaveLength(1);
});

test("a refresh that fails forgets all marks and says so", async () => {
  let nowMs = 0;
  let isBroken = false;
  const flaky = new Proxy(sql, {
    apply: (target, _, [strings, ...values]) =>
      isBroken ? Promise.reject(new Error("gone")) : target(strings as TemplateStringsArray, ...(values as string[])),
  }) as Sql;
  const marks = createLowMarks(flaky, () => nowMs);
  await draw();
  marks.taken(scopes, [0]);
  for (let n = 0; n < 2; n++) {
    await marks.refresh();
    nowMs += 15_000;
  }
  expect(marks.spansOf(scopes)).toHaveLength(2);
  isBroken = true;
  await expect(marks.refresh()).rejects.toThrow("gone");
  expect(marks.spansOf(scopes)).toHaveLength(1);
});
