// A thousand streams on one process (D-28): each gets everything, and the database is read once for all of them.
import { expect, onTestFinished, test } from "vitest";
import { type EventReader, readStream } from "../../test/event-reader.ts";
import { createFleet, createTasks } from "../../test/factories.ts";
import { startTestApp } from "../../test/test-app.ts";

const streams = 1000;
const events = 50;

test("a thousand streams get all of fifty events, and resume all at once", async () => {
  const app = await startTestApp();
  const fleet = await createFleet(app);
  let statements = 0;
  const sql = new Proxy(app.sql, {
    apply: (target, self, args) => {
      statements += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const replica = await startTestApp({ beside: app, feed: { sql } });
  onTestFinished(async () => {
    await replica.close();
    await app.close();
  });
  const openAll = async (query: (n: number) => string): Promise<EventReader[]> => {
    const readers: EventReader[] = [];
    for (let n = 0; n < streams; n += 100) {
      readers.push(
        ...(await Promise.all(Array.from({ length: 100 }, (_, k) => readStream(replica, { query: query(n + k) })))),
      );
    }
    return readers;
  };
  const readers = await openAll(() => "");
  statements = 0;
  for (let n = 0; n < events; n += 10) await createTasks(app, fleet, 10);
  const told = await Promise.all(readers.map((reader) => reader.until(events)));
  const ids = told[0]?.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(events);
  for (const one of told) expect(one.map(({ id }) => id)).toEqual(ids);
  expect(statements).toBeLessThan(streams / 2);

  for (const reader of readers) reader.close();
  const again = await openAll((n) => `?after=${ids[n % events]}`);
  for (const [n, reader] of again.entries()) {
    const rest = ids.slice((n % events) + 1);
    expect((await reader.until(rest.length)).map(({ id }) => id)).toEqual(rest);
  }
}, 60_000);
