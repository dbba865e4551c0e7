// How quickly the queue moved of late (D-29): dispatches and waits in windows that end now, out of the rollups.
import type { DispatchRate, Stats } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";
import { percentilesOf, type WaitBucket } from "./wait-times.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Window {
  step: "minute" | "hour";
  from: string;
  minutes: number;
}

/** The step that `at` is in and those before it: `steps` in all. */
const windowTo = (at: string, step: Window["step"], steps: number): Window => {
  const stepMs = step === "minute" ? minuteMs : hourMs;
  const fromMs = (Math.floor(Date.parse(at) / stepMs) - steps + 1) * stepMs;
  return { step, from: new Date(fromMs).toISOString(), minutes: (Date.parse(at) - fromMs) / minuteMs };
};

const readRate = async (sql: Queryable, { step, from, minutes }: Window): Promise<DispatchRate> => {
  const [[sums], waits] = await Promise.all([
    sql<[{ dispatched: number }]>`
      select coalesce(sum(dispatched), 0)::bigint as dispatched from stats_history where step = ${step} and at >= ${from}
    `,
    sql<WaitBucket[]>`
      select bucket, sum(count)::bigint as count from wait_histograms
      where step = ${step} and agent_type_id is null and at >= ${from} group by bucket
    `,
  ]);
  return { ...sums, per_minute: sums.dispatched / minutes, wait_ms: percentilesOf(waits) };
};

/** The rates of the windows that end at `at`. */
export const readDispatchRates = async (sql: Queryable, at: string): Promise<Stats["dispatch"]> => {
  const [last_1h, last_24h, last_7d] = await Promise.all([
    readRate(sql, windowTo(at, "minute", 60)),
    readRate(sql, windowTo(at, "hour", 24)),
    readRate(sql, windowTo(at, "hour", 7 * 24)),
  ]);
  return { last_1h, last_24h, last_7d };
};

/** How long the tasks waited that went to these agent types in the 24 hours before `at`; by the agent type's id. */
export const readAgentTypeWaits = async (
  sql: Queryable,
  at: string,
  agentTypeIds: readonly string[],
): Promise<Map<string, WaitBucket[]>> => {
  const rows = await sql<(WaitBucket & { agent_type_id: string })[]>`
    select agent_type_id, bucket, sum(count)::bigint as count from wait_histograms
    where step = 'hour' and agent_type_id = any(${agentTypeIds}::uuid[]) and at >= ${windowTo(at, "hour", 24).from}
    group by 1, 2
  `;
  return Map.groupBy(rows, ({ agent_type_id }) => agent_type_id);
};
