// What is told of the database itself.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { readOldestSnapshotSeconds } from "./database-health.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test("a snapshot taken after the reader began has an age of its own, never a negative one", async () => {
  const ages = await app.sql.begin("isolation level repeatable read", async (reader) => {
    await reader`select 1`;
    return app.sql.begin("isolation level repeatable read", async (younger) => {
      await younger`select 1`;
      await younger`select pg_sleep(0.2)`;
      return [await readOldestSnapshotSeconds(reader), await readOldestSnapshotSeconds(app.sql)];
    });
  });
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0.2);
});
