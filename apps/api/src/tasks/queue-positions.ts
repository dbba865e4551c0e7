// Where the N-th task of the queue stands: the opposite of a task's position (D-16, D-27).
import type { Sql } from "../platform/database.ts";

/** A place in the order of the queue (D-18). */
export type QueueKey = [negatedPriority: number, queueSeq: number];

/**
 * The key right before the task at `position`, from 1; undefined if the queue is shorter. The counts by priority tell in which
 * of them it is, and of that one `ready` is walked from the nearer end, index only: 100,000 places take some 10 ms.
 */
export const findKeyBeforePosition = async (sql: Sql, position: number): Promise<QueueKey | undefined> => {
  const [place] = await sql<{ priority: number; queue_seq: number }[]>`
    with band as materialized (
      select -priority as priority, count, (sum(count) over (order by priority desc))::bigint - count as before from (
        select priority, sum(queued)::bigint as count from current_task_counts
        where agent_type_id is not null group by priority having sum(queued) > 0
      ) counted
    ), at as materialized (
      select priority, ${position}::bigint - before - 1 as forth, before + count - ${position}::bigint as back
      from band where before < ${position}::bigint and before + count >= ${position}::bigint
    )
    select place.* from at cross join lateral (
      (
        select priority, queue_seq from ready
        where forth <= back and ready.priority = at.priority order by queue_seq offset forth limit 1
      )
      union all
      (
        select priority, queue_seq from ready
        where forth > back and ready.priority = at.priority order by queue_seq desc offset back limit 1
      )
    ) place
  `;
  return place && [place.priority, place.queue_seq - 1];
};
