// A look at the queue once a minute, kept for the charts (D-29).
import type { PriorityCount } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { type QueueStanding, readQueueStanding } from "./queue-standing.ts";

/** A chart shows no more of them, and 1,500 points of 20 each took 34 ms to read. */
const maxPriorities = 10;

const largest = (counts: readonly PriorityCount[]): PriorityCount[] =>
  counts
    .toSorted((one, other) => other.queued + other.live - one.queued - one.live)
    .slice(0, maxPriorities)
    .toSorted((one, other) => other.priority - one.priority);

/**
 * Writes down how the queue stood, unless its minute has a sample. Any replica may, as often as it likes. The hour and
 * the day keep the last sample there was in them.
 */
export const keepSample = async (sql: Sql, standing: QueueStanding): Promise<void> => {
  const { at, queued, live, oldest_queued_seconds, by_priority } = standing;
  await sql`
    insert into stats_history (step, at, queued, live, oldest_queued_seconds, by_priority)
    select step, date_trunc(step, ${at}::timestamptz), ${queued}::bigint, ${live}::bigint, ${oldest_queued_seconds}::bigint,
      ${sql.json(largest(by_priority))}::jsonb
    from (values ('minute'), ('hour'), ('day')) as steps (step)
    where not exists (
      select from stats_history
      where step = 'minute' and at = date_trunc('minute', ${at}::timestamptz) and queued is not null
    )
    order by 1, 2
    on conflict (step, at) do update set queued = excluded.queued, live = excluded.live,
      oldest_queued_seconds = excluded.oldest_queued_seconds, by_priority = excluded.by_priority
  `;
};

export const sampleQueue = async (sql: Sql): Promise<void> => keepSample(sql, await readQueueStanding(sql));
