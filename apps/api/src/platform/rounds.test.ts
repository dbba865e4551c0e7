// Rounds: done by one replica at a time, when they are due.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "./logger.ts";
import { type Round, takeRound } from "./rounds.ts";

const log = createLogger("silent");
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const patient = { timeout: 5000 };
const take = (name: string, everySeconds: number, work = async () => {}, times: Partial<Round> = {}) =>
  takeRound(app.database.background, log, { name, everySeconds, patienceMs: 60_000, work, ...times });
const holdOf = async (name: string) => {
  const [row] = await app.sql<{ held_until: string | null }[]>`select held_until from rounds where name = ${name}`;
  return Date.parse(row?.held_until ?? "");
};
/** A round that is under way until `finish` is called. */
const begin = async (name: string, times: Partial<Round>) => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ended = take(
    name,
    0,
    () => {
      begun.resolve();
      return gate.promise;
    },
    times,
  );
  await begun.promise;
  return { ended, finish: gate.resolve };
};

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
  const { ended, finish } = await begin(name, {});
  expect(await take(name, 0)).toBe(false);
  finish();
  expect(await ended).toBe(true);
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

test("a round gives signs of life, and is taken from nobody who does", async () => {
  const name = randomUUID();
  const { ended, finish } = await begin(name, { holdMs: 1500 });
  const heldUntil = await holdOf(name);
  await vi.waitFor(async () => expect(await holdOf(name)).toBeGreaterThan(heldUntil + 1500), patient);
  expect(await take(name, 0)).toBe(false);
  finish();
  expect(await ended).toBe(true);
});

test("a round that hangs is taken over, and does not disturb its successor when it ends after all", async () => {
  const name = randomUUID();
  const hanging = await begin(name, { holdMs: 300, patienceMs: 600 });
  await vi.waitFor(async () => expect(await take(name, 0)).toBe(true), patient);
  const successor = await begin(name, {});
  const heldUntil = await holdOf(name);
  hanging.finish();
  await hanging.ended;
  expect(await holdOf(name)).toBe(heldUntil);
  expect(await take(name, 0)).toBe(false);
  successor.finish();
  expect(await successor.ended).toBe(true);
});
