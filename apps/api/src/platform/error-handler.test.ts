// Answers while the schema is another version's: the API listens before it has migrated, and while a newer one migrates.
import type { FastifyBaseLogger } from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { problemFor } from "./error-handler.ts";
import { createLogger } from "./logger.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test.each([
  ["table", "alter table tasks rename to later", "alter table later rename to tasks", "/tasks"],
  [
    "column",
    "alter table organizations rename slug to later",
    "alter table organizations rename later to slug",
    "/organizations",
  ],
  ["function", "alter function instant rename to later", "alter function later rename to instant", "/organizations"],
])("a %s that is not there yet is 503 with Retry-After, never 500", async (_, remove, restore, path) => {
  await app.sql.unsafe(remove);
  try {
    const response = await app.request(path);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ code: "database_unavailable" });
  } finally {
    await app.sql.unsafe(restore);
  }
  expect((await app.request(path)).status).toBe(200);
});

test("it is logged as an error, for it may be a fault of this version too", async () => {
  const log = createLogger("silent");
  const error = vi.spyOn(log, "error");
  const thrown = await app.sql`select nothing_like_that from tasks`.catch((reason: unknown) => reason);
  expect(problemFor(thrown, log as FastifyBaseLogger)).toMatchObject({ code: "database_unavailable" });
  expect(error).toHaveBeenCalledExactlyOnceWith({ err: thrown }, expect.any(String));
});
