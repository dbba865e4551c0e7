// The work behind the numbers, repeated by every replica: each piece is guarded, so that none counts twice.
import type { EventHorizon } from "../events/event-horizon.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { repeat } from "../platform/repetition.ts";
import { foldCounts, recountTasks } from "../tasks/count-queries.ts";
import { foldEvents } from "./event-fold.ts";
import { forgetHistory } from "./history-queries.ts";
import { sampleQueue } from "./queue-sample.ts";

export interface StatsJobsDeps {
  /** For work that nobody waits for. */
  sql: Sql;
  horizon: EventHorizon;
  eventRetentionDays: number;
  log: Logger;
}

const foldMs = 2000;
/** Below a minute, so that each has its sample, and one that failed is tried again. */
const sampleMs = 15_000;
const hourMs = 3_600_000;
/** Four times a day, as a process may be replaced daily. */
const recountMs = 6 * hourMs;

/** Begins the work; the function returned ends it. */
export const startStatsJobs = ({ sql, horizon, eventRetentionDays, log }: StatsJobsDeps): (() => void) => {
  const foldHistory = async (): Promise<void> => foldEvents(sql, (await horizon.look()).upTo);
  const recount = async (): Promise<void> => {
    const drifts = await recountTasks(sql);
    if (drifts.length > 0) log.warn({ drifts }, "counts were wrong and have been mended");
  };
  const stops = [
    repeat("folding counts", foldMs, log, () => foldCounts(sql)),
    repeat("recounting tasks", recountMs, log, recount),
    repeat("folding the history", foldMs, log, foldHistory),
    repeat("sampling the queue", sampleMs, log, () => sampleQueue(sql)),
    repeat("forgetting old numbers", hourMs, log, () => forgetHistory(sql, eventRetentionDays)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
