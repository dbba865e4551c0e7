// Percentiles out of histograms, against the waits themselves.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { bucketOf, percentilesOf, type WaitBucket } from "./wait-times.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const bucketsOf = ({ sql }: TestApp, waits: readonly number[]): Promise<WaitBucket[]> => sql<WaitBucket[]>`
  select bucket, count(*) from (select ${bucketOf(sql, sql`ms`)} as bucket from unnest(${waits}::bigint[]) as wait (ms)) wait
  group by bucket
`;

/** From a millisecond to ten years, short ones as often as long ones. */
const wait = fc.double({ min: 0, max: 38, noNaN: true }).map((doublings) => Math.floor(2 ** doublings) - 1);

const toleranceOf = (waitMs: number): number => Math.max(1, waitMs / 10);

test("each wait alone is told within a tenth, or a millisecond", async () => {
  const waits = Array.from({ length: 3_000 }, (_, waitMs) => waitMs);
  const rows = await app.sql<{ ms: number; bucket: number }[]>`
    select ms, ${bucketOf(app.sql, app.sql`ms`)} as bucket from unnest(${waits}::bigint[]) as wait (ms)`;
  const told = rows.map(({ ms, bucket }) => ({ ms, p50: percentilesOf([{ bucket, count: 1 }]).p50 ?? Number.NaN }));
  expect(told).toHaveLength(waits.length);
  expect(told.filter(({ ms, p50 }) => !(Math.abs(p50 - ms) <= toleranceOf(ms)))).toEqual([]);
});

test("each is within a tenth, or a millisecond, of the wait that so many per cent did not exceed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wait, { minLength: 1, maxLength: 300 }), async (waits) => {
      const ascending = waits.toSorted((one, other) => one - other);
      const percentiles = percentilesOf(await bucketsOf(app, waits));
      for (const [name, found] of Object.entries(percentiles)) {
        const exact = ascending[Math.ceil((waits.length * Number(name.slice(1))) / 100) - 1] ?? Number.NaN;
        expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(toleranceOf(exact));
      }
    }),
    { numRuns: 200 },
  );
});

test("of nothing there are none", () => {
  expect(percentilesOf([])).toEqual({ p50: null, p90: null, p95: null, p99: null });
});
