// When rounds begin, and how they are left.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "./logger.ts";
import { startRounds } from "./round-schedule.ts";

const patient = { timeout: 10_000 };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const start = (name: string, work: () => Promise<void>) =>
  startRounds({ sql: app.database.background, log: createLogger("silent") }, { name, intervalSeconds: 300, work });
const roundOf = async (name: string) =>
  (await app.sql<{ holder: string | null }[]>`select holder from rounds where name = ${name}`)[0];
const makeDue = (name: string) => app.sql`update rounds set begun_at = now() - interval '301 s' where name = ${name}`;
test("one that fails is tried again when it is due, and not before", async () => {
  const name = randomUUID();
  const work = vi.fn(() => Promise.reject(new Error("no")));
  const other = vi.fn(async () => {});
  const stop = start(name, work);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), patient);
  // Another schedule has begun its round and looked again since: this one has looked again as well.
  const stopOther = start(`${name} beside`, other);
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1), patient);
  await makeDue(`${name} beside`);
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(2), patient);
  expect(work).toHaveBeenCalledTimes(1);
  await makeDue(name);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2), patient);
  await Promise.all([stop(), stopOther()]);
});

test("one that hangs is given back when the process stops", async () => {
  const name = randomUUID();
  const work = vi.fn(() => new Promise<void>(() => {}));
  const stop = start(name, work);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), patient);
  expect((await roundOf(name))?.holder).not.toBeNull();
  await stop();
  expect((await roundOf(name))?.holder).toBeNull();
});
