// Pools under pressure: transactions beside single statements, and connections that die.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { transact } from "./database.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test("a transaction that begins beside any number of statements is a transaction", async () => {
  const statements = (count: number) => Array.from({ length: count }, () => app.sql`select pg_sleep(0.01)`.execute());
  await Promise.all(statements(20));
  for (let count = 0; count <= 20; count++) {
    const busy = statements(count);
    expect(await transact(app.sql, (transaction) => transaction`select 1 as one`)).toEqual([{ one: 1 }]);
    await Promise.all(busy);
  }
});

test("a connection that dies in a transaction rejects it, and the process goes on", async () => {
  const dying = transact(app.sql, (transaction) => transaction`select pg_terminate_backend(pg_backend_pid())`);
  await expect(dying).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await transact(app.sql, (transaction) => transaction`select 1 as one`)).toEqual([{ one: 1 }]);
});
