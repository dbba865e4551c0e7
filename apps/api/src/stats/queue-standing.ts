// How the queue stands now (D-29): how many tasks are queued and live, where, and since when the oldest waits.
import { maxStatsItems, type Stats } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";

/** Of an agent type as of the queue, without how long its tasks waited. */
export type AgentTypeStanding = Omit<Stats["by_agent_type"][number], "wait_ms">;

export interface QueueStanding extends Omit<Stats, "by_agent_type" | "dispatch"> {
  by_agent_type: AgentTypeStanding[];
}

/**
 * Of each priority, the oldest is the first task that never left the queue, or one of the first so many that came back:
 * these stand before it, and some of them have not waited long. The first is looked for no further than that.
 */
const returnedPlaces = 100;
const headPlaces = 10_000;

/** The keys of `number` with the most tasks. */
const largest = (sql: Queryable, key: ReturnType<Queryable>) => sql`
  select ${key}, sum(queued)::bigint as queued, sum(live)::bigint as live from number
  group by ${key} having sum(queued + live) > 0 order by sum(queued + live) desc, ${key} desc limit ${maxStatsItems}
`;

/** Reads the counts, and the first places of each priority; neither grows with the number of tasks. */
export const readQueueStanding = async (sql: Queryable): Promise<QueueStanding> => {
  const [standing] = await sql<[QueueStanding]>`
    with number as materialized (
      select organization_id, agent_type_id, priority, sum(queued) as queued, sum(live) as live
      from current_task_counts where agent_type_id is not null group by 1, 2, 3
    ), waiting as (
      select distinct priority from number where queued > 0 order by priority desc limit ${maxStatsItems}
    ), oldest as (
      select min(t.queued_at) as at from waiting cross join lateral (
        (
          select task_id from (
            select task_id, queue_seq, returned from ready
            where ready.priority = -waiting.priority order by queue_seq limit ${headPlaces}
          ) head where not returned order by queue_seq limit 1
        )
        union all
        (
          select task_id from ready
          where ready.priority = -waiting.priority and returned order by queue_seq limit ${returnedPlaces}
        )
      ) place join tasks t on t.id = place.task_id
    )
    select now() as at, coalesce(sum(queued), 0)::bigint as queued, coalesce(sum(live), 0)::bigint as live,
      (select at from oldest) as oldest_queued_at,
      (select extract(epoch from greatest(now() - at, interval '0'))::bigint from oldest where at is not null) as oldest_queued_seconds,
      (select coalesce(json_agg(item order by priority desc), '[]') from (${largest(sql, sql`priority`)}) item) as by_priority,
      (
        select coalesce(json_agg(item order by queued + live desc, organization_slug), '[]') from (
          select organization_id, o.slug as organization_slug, queued, live
          from (${largest(sql, sql`organization_id`)}) one join organizations o on o.id = organization_id
        ) item
      ) as by_organization,
      (
        select coalesce(json_agg(item order by queued + live desc, organization_slug, slug), '[]') from (
          select agent_type_id, o.slug as organization_slug, a.slug, queued, live
          from (${largest(sql, sql`agent_type_id`)}) one
          join agent_types a on a.id = agent_type_id join organizations o on o.id = a.organization_id
        ) item
      ) as by_agent_type
    from number
  `;
  return standing;
};
