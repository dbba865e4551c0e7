// Idempotency-Key under fire (D-17): repeats at the same moment, on several replicas, and after an answer that was lost.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, type Fleet, newSlug } from "../../test/factories.ts";
import { type KeyedAnswer, postKeyed } from "../../test/keyed-requests.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let app: TestApp;
let beside: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await beside.close();
  await app.close();
});

const task = (title = "Raced") => ({ prompt: "Do the work", title, organization: fleet.organization.id });
const countOf = async (title: string) =>
  (await app.sql<{ count: number }[]>`select count(*) from tasks where title = ${title}`)[0]?.count;
const atOnce = (count: number, send: (replica: TestApp, index: number) => Promise<KeyedAnswer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? app : beside, index)));
const statusesOf = (answers: KeyedAnswer[]) => answers.map(({ status }) => status);

describe("20 requests at once with one key, on two replicas", () => {
  test.each<[string, () => string, (title: string) => unknown]>([
    ["task", () => "/tasks", task],
    ["bulk", () => "/tasks/bulk", (title) => ({ tasks: [task(title)] })],
  ])("create one %s, and all are answered it", async (_, path, body) => {
    const title = randomUUID();
    const answers = await atOnce(20, (replica) => postKeyed(replica, path(), body(title), title));
    expect(statusesOf(answers)).toEqual(Array(20).fill(201));
    const ids = answers.map(({ body: { id, items } }) => id ?? items?.[0]?.id);
    expect(new Set(ids).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await countOf(title)).toBe(1);
  });

  test("create one organization: its own slug is in nobody's way", async () => {
    const slug = newSlug();
    const answers = await atOnce(20, (replica) => postKeyed(replica, "/organizations", { slug }, slug));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  test("leave one note", async () => {
    const { id } = await app.client.createTask({ body: task() });
    const key = randomUUID();
    await atOnce(20, (replica) => postKeyed(replica, `/tasks/${id}/notes`, { text: "Once" }, key));
    expect((await app.client.listNotes({ params: { id } })).items).toHaveLength(1);
  });

  test("of two bodies one wins, and the other is told so", async () => {
    const [key, mine, yours] = [randomUUID(), randomUUID(), randomUUID()];
    const answers = await atOnce(20, (replica, index) =>
      postKeyed(replica, "/tasks", task(index % 4 < 2 ? mine : yours), key),
    );
    expect(statusesOf(answers).toSorted()).toEqual([...Array(10).fill(201), ...Array(10).fill(422)]);
    expect([await countOf(mine), await countOf(yours)].toSorted()).toEqual([0, 1]);
  });
});

test("keys in batches with others hurt nobody: each is bound once, and who has none just creates", async () => {
  const title = randomUUID();
  const answers = await atOnce(120, async (replica, index) =>
    index % 3 === 0
      ? postKeyed(replica, "/tasks", task(title), `${title}-${index % 4}`)
      : replica.client.createTask({ body: task(title) }).then(() => ({ status: 201 }) as KeyedAnswer),
  );
  expect(new Set(statusesOf(answers))).toEqual(new Set([201]));
  expect(await countOf(title)).toBe(80 + 4);
});

describe("a key that another replica is binding at this moment", () => {
  const whileBinding = (key: string, resourceId: string, isKept: boolean) =>
    app.sql
      .begin(async (transaction) => {
        await transaction`
          insert into idempotency_keys (sub, key, fingerprint, resource_ids)
          select 'executor', ${key}, fingerprint, ${[resourceId]}::uuid[] from idempotency_keys
          where resource_ids = ${[resourceId]}::uuid[]
        `;
        const answer = postKeyed(beside, "/tasks", task(), key);
        await untilBlocked(app);
        if (!isKept) throw { answer };
        return { answer };
      })
      .catch((rolledBack: { answer: Promise<KeyedAnswer> }) => rolledBack);

  test("is waited for, and replayed if that succeeds", async () => {
    const first = await postKeyed(app, "/tasks", task(), randomUUID());
    const { answer } = await whileBinding(randomUUID(), first.body.id ?? "", true);
    expect(await answer).toEqual({ ...first, isReplayed: true });
  });

  test("is waited for, and bound anew if that fails", async () => {
    const first = await postKeyed(app, "/tasks", task(), randomUUID());
    const { answer } = await whileBinding(randomUUID(), first.body.id ?? "", false);
    const { status, isReplayed, body } = await answer;
    expect([status, isReplayed]).toEqual([201, false]);
    expect(body.id).not.toBe(first.body.id);
  });

  test("keeps no task without that key waiting, and is 409 after some seconds", { timeout: 30_000 }, async () => {
    const key = randomUUID();
    const [begin, answer] = await app.sql.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`
        insert into idempotency_keys (sub, key, fingerprint, resource_ids) values ('executor', ${key}, '', '{}')
      `;
      const begin = performance.now();
      const keyed = postKeyed(beside, "/tasks", task(), key);
      await untilBlocked(app);
      await beside.client.createTask({ body: task() });
      expect(performance.now() - begin).toBeLessThan(1500);
      return [begin, await keyed] as const;
    });
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    const waitedMs = performance.now() - begin;
    expect(waitedMs).toBeGreaterThan(9000);
    expect(waitedMs).toBeLessThan(11_000);
  });
});

test("an answer that was lost after the commit is found by its key", async () => {
  const faulty = await startTestApp({ beside: app, env: { FAILPOINTS: "create-committed=fail#1" } });
  const title = randomUUID();
  const lost = await postKeyed(faulty, "/tasks", task(title), title);
  expect(lost.body.code).toBe("database_unavailable");
  const [again, elsewhere] = [
    await postKeyed(faulty, "/tasks", task(title), title),
    await postKeyed(app, "/tasks", task(title), title),
  ];
  expect(again).toMatchObject({ status: 201, isReplayed: true, body: { title } });
  expect(elsewhere).toEqual(again);
  expect(await countOf(title)).toBe(1);
  await faulty.close();
});

test("who repeats a request of this process waits without a connection", async () => {
  const title = randomUUID();
  const { answers } = await app.sql.begin(async (transaction) => {
    // Whoever creates for the organization waits for its row.
    await transaction`select from organizations where id = ${fleet.organization.id} for update`;
    const first = postKeyed(beside, "/tasks", task(title), title);
    await untilBlocked(app);
    const repeats = Array.from({ length: 30 }, () => postKeyed(beside, "/tasks", task(title), title));
    // Of 8 connections none would be left to answer this.
    for (let n = 0; n < 5; n++) await beside.client.listOrganizations();
    const waiting = await app.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    expect(waiting.length).toBeLessThanOrEqual(1);
    return { answers: Promise.all([first, ...repeats]) };
  });
  expect(new Set((await answers).map(({ body }) => body.id)).size).toBe(1);
  expect(await countOf(title)).toBe(1);
});
