// Rounds: done by one replica at a time, when they are due.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "./logger.ts";
import { takeRound } from "./rounds.ts";

const log = createLogger("silent");
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const take = (name: string, everySeconds: number, work = async () => {}) =>
  takeRound(app.database.background, log, { name, everySeconds, work });

test("of eight replicas one does a round, and none again before it is due", async () => {
  const name = randomUUID();
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(name, 60)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await take(name, 60)).toBe(false);
  await app.sql`update rounds set begun_at = now() - interval '61 s' where name = ${name}`;
  expect(await take(name, 60)).toBe(true);
});

test("a round that is due at once still waits for the one under way", async () => {
  const name = randomUUID();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = take(name, 0, async () => {
    begun.resolve();
    await gate.promise;
  });
  await begun.promise;
  expect(await take(name, 0)).toBe(false);
  gate.resolve();
  expect(await first).toBe(true);
  expect(await take(name, 0)).toBe(true);
});

test("a failed round is over, and the next one is done", async () => {
  const name = randomUUID();
  await expect(take(name, 0, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await take(name, 0)).toBe(true);
});

test("a dead replica's round is taken over once its hold has run out, and not before", async () => {
  const name = randomUUID();
  await app.sql`insert into rounds (name, begun_at, holder, held_until)
    values (${name}, now() - interval '1 hour', gen_random_uuid(), now() + interval '1 minute')`;
  expect(await take(name, 60)).toBe(false);
  await app.sql`update rounds set held_until = now() - interval '1 s' where name = ${name}`;
  expect(await take(name, 60)).toBe(true);
});
