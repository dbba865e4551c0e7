// Windows over the rollups: what is in them counts, what is before them does not.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { readAgentTypeWaits, readDispatchRates } from "./dispatch-rates.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const at = "2020-06-15T12:30:30.000Z";
const agentType = "01a1fc70-3c1d-7a44-8e0b-52d7c9f1a6e8";

test("each window begins with a whole step and ends now", async () => {
  await app.sql`
    insert into stats_history (step, at, dispatched) values
      ('minute', '2020-06-15T12:30Z', 5), ('minute', '2020-06-15T11:31Z', 2), ('minute', '2020-06-15T11:30Z', 100),
      ('hour', '2020-06-15T12:00Z', 20), ('hour', '2020-06-14T13:00Z', 30), ('hour', '2020-06-14T12:00Z', 1000),
      ('hour', '2020-06-08T13:00Z', 7), ('hour', '2020-06-08T12:00Z', 9000)
  `;
  const { last_1h, last_24h, last_7d } = await readDispatchRates(app.sql, at);
  expect([last_1h.dispatched, last_24h.dispatched, last_7d.dispatched]).toEqual([7, 50, 1057]);
  expect(last_1h.per_minute).toBeCloseTo(7 / 59.5);
  expect(last_24h.per_minute).toBeCloseTo(50 / (23 * 60 + 30.5));
});

test("waits are those of all, and by agent type those of each", async () => {
  // Up to 8 ms, up to 1 s, up to 2^20 ms.
  await app.sql`
    insert into wait_histograms (step, agent_type_id, at, bucket, count) values
      ('minute', null, '2020-06-15T12:30Z', 12, 90), ('minute', null, '2020-06-15T12:29Z', 40, 10),
      ('minute', null, '2020-06-15T11:30Z', 80, 500), ('hour', null, '2020-06-15T12:00Z', 40, 1),
      ('hour', ${agentType}, '2020-06-15T12:00Z', 12, 3), ('hour', ${agentType}, '2020-06-14T12:00Z', 80, 3)
  `;
  const { last_1h, last_24h } = await readDispatchRates(app.sql, at);
  expect(last_1h.wait_ms).toEqual({ p50: 7, p90: 7, p95: 940, p99: 940 });
  expect(last_24h.wait_ms.p50).toBe(940);
  const waits = await readAgentTypeWaits(app.sql, at, [agentType]);
  expect(waits.get(agentType)).toEqual([{ agent_type_id: agentType, bucket: 12, count: 3 }]);
});
