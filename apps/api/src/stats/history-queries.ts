// The past in steps (D-29): what happened in each, and how the queue stood at its end.
import type { HistoryPoint } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";
import { type Period, stepMs } from "./stats-periods.ts";
import { tokenSum } from "./token-sums.ts";

const nothingAt = (at: string): HistoryPoint => ({
  at,
  queued: null,
  live: null,
  oldest_queued_seconds: null,
  by_priority: null,
  dispatched: 0,
  input_tokens: 0,
  output_tokens: 0,
});

/** A point for every step of the period, oldest first, so that charts have no holes. */
export const readHistory = async (sql: Queryable, { step, fromMs, toMs }: Period): Promise<HistoryPoint[]> => {
  const known = await sql<HistoryPoint[]>`
    select at, queued, live, oldest_queued_seconds, by_priority, dispatched,
      ${tokenSum(sql, sql`input_tokens`)} as input_tokens, ${tokenSum(sql, sql`output_tokens`)} as output_tokens
    from stats_history
    where step = ${step} and at >= to_timestamp(${fromMs / 1000}) and at < to_timestamp(${toMs / 1000})
  `;
  const points = new Map(known.map((point) => [point.at, point]));
  return Array.from({ length: (toMs - fromMs) / stepMs[step] }, (_, index) => {
    const at = new Date(fromMs + index * stepMs[step]).toISOString();
    return points.get(at) ?? nothingAt(at);
  });
};

/** Forgets what is never asked for again: minutes after 32 days, the rest with the events, waits after the last window. */
export const forgetHistory = async (sql: Queryable, retentionDays: number): Promise<void> => {
  await sql`
    delete from stats_history
    where at < now() - make_interval(days => case step when 'minute' then 32 else ${retentionDays} end)
  `;
  await sql`
    delete from wait_histograms
    where at < now() - case step when 'minute' then interval '2 hours' else interval '8 days' end
  `;
  await sql`
    delete from usage_days
    where dimension in ('agent_type', 'organization', 'executor', 'root') and day < now() - make_interval(days => ${retentionDays})
  `;
};
