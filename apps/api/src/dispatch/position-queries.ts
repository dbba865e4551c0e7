// Where a task stands in the queue and why it waits (D-27). Every count stops at 10,000 rows, so it is cheap at any depth.
import { maxPositionCount, type Position, type PositionReason } from "@task-service/contract";
import type { Queryable, Sql } from "../platform/database.ts";
import { countQueued } from "../tasks/count-queries.ts";
import { countExecutors, type Reach } from "./executor-queries.ts";

interface Place {
  priority: number;
  queue_seq: number;
  organization_id: string;
  agent_type_id: string;
  queued_at: string;
}

interface Standing {
  place: Place | null;
  state: "queued" | "dispatched";
  needs_attention: boolean;
}

const findStanding = async (sql: Queryable, id: string): Promise<Standing | undefined> => {
  const [standing] = await sql<Standing[]>`
    select t.state, t.needs_attention, case when r.task_id is not null then json_build_object(
      'priority', t.priority, 'queue_seq', r.queue_seq, 'organization_id', r.organization_id,
      'agent_type_id', r.agent_type_id, 'queued_at', instant(t.queued_at)) end as place
    from tasks t left join ready r on r.task_id = t.id where t.id = ${id}
  `;
  return standing;
};

interface Queue extends Pick<Position, "ahead" | "oldest_ahead_at"> {
  is_behind_older: boolean;
}

/** Of these counts, the highest priority first, as many as are told: 10,000 in all. */
const cut = (ahead: Position["ahead"]): Position["ahead"] => {
  let left = maxPositionCount;
  return ahead.flatMap(({ priority, count }) => {
    const told = Math.min(count, left);
    left -= told;
    return told > 0 ? [{ priority, count: told }] : [];
  });
};

/** What goes before it: higher priorities as they are counted anyway, of its own the first 10,000. */
const readAhead = async (sql: Queryable, { priority, queue_seq }: Place): Promise<Queue> => {
  const [queue] = await sql<[Queue]>`
    with higher as materialized (${countQueued(sql, priority)}), older as materialized (
      select ${priority}::int as priority, count(*) from (
        select from ready where priority = ${-priority} and queue_seq < ${queue_seq} order by queue_seq limit ${maxPositionCount}
      ) found
    ), counted as materialized (
      select * from higher union all select * from older where count > 0
    ), head as (
      select first.* from counted cross join lateral (
        select task_id, queue_seq from ready where ready.priority = -counted.priority order by queue_seq limit 1
      ) first
    )
    select (select coalesce(json_agg(counted order by priority desc), '[]') from counted) as ahead,
      (select queued_at from tasks where id = (select task_id from head order by queue_seq limit 1)) as oldest_ahead_at,
      (select count > 0 from older) as is_behind_older
  `;
  return { ...queue, ahead: cut(queue.ahead) };
};

/** The least id a UUIDv7 of this instant can have: ids from there on are of this instant and later. */
const firstIdOf = (sql: Queryable, instant: ReturnType<Queryable>) =>
  sql`(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

interface Recent {
  /** Tasks with a higher `queue_seq` that were dispatched since this one was queued. */
  overtaken_count: number;
  /** Seconds between two dispatches, on average over the last hour, or over as many as were looked at; null if there was none. */
  pace: number | null;
}

/** What the newest 10,000 dispatches tell. */
const readRecent = async (sql: Queryable, { queue_seq, queued_at }: Place): Promise<Recent> => {
  const [recent] = await sql<[Recent]>`
    select count(distinct task_id) filter (
        where queue_seq > ${queue_seq} and id >= ${firstIdOf(sql, sql`${queued_at}::timestamptz`)}
      ) as overtaken_count,
      (case when count(*) filter (where is_of_hour) = ${maxPositionCount} then extract(epoch from now() - min(dispatched_at)) else 3600 end
        / nullif(count(*) filter (where is_of_hour), 0))::float8 as pace
    from (
      select id, task_id, queue_seq, dispatched_at, dispatched_at > now() - interval '1 hour' as is_of_hour
      from dispatches order by id desc limit ${maxPositionCount}
    ) newest
  `;
  return recent;
};

const queueReasons = ({ priority }: Place, { ahead: [first], is_behind_older }: Queue): PositionReason[] => {
  if (!first) return ["next"];
  return [
    ...(first.priority > priority ? (["behind_higher_priority"] as const) : []),
    ...(is_behind_older ? (["behind_older"] as const) : []),
  ];
};

/** Why nobody takes it even when its turn comes; empty while somebody waits who could. */
const capacityReasons = ({ seen, suited, waiting }: Reach): PositionReason[] => {
  if (waiting > 0) return [];
  if (seen === 0) return ["no_executor_seen"];
  return suited === 0 ? ["filtered_out"] : ["no_free_capacity"];
};

const outside = ({ state, needs_attention }: Standing): Position => ({
  position: null,
  ahead: [],
  overtaken_count: 0,
  oldest_ahead_at: null,
  waiting_executors: 0,
  estimated_wait_seconds: null,
  reasons:
    state === "queued"
      ? ["not_assigned_to_agent"]
      : ["not_queued", ...(needs_attention ? ["needs_attention" as const] : [])],
});

/**
 * Where a task stands in the one order over everything, without any filter, and why; undefined if there is no such task.
 *
 * `position` is exact up to 10,000; 10,001 says that 10,000 or more go before it, `ahead` and `oldest_ahead_at` then tell
 * of the first 10,000, and `estimated_wait_seconds` is the least it takes. The estimate takes the whole service's pace: it does
 * not know which executors take which tasks.
 */
export const findPosition = async (sql: Sql, id: string): Promise<Position | undefined> => {
  const standing = await findStanding(sql, id);
  if (!standing?.place) return standing && outside(standing);
  const { place } = standing;
  const [queue, { overtaken_count, pace }, reach] = await Promise.all([
    readAhead(sql, place),
    readRecent(sql, place),
    countExecutors(sql, place),
  ]);
  const position = queue.ahead.reduce((sum, { count }) => sum + count, 1);
  return {
    position,
    ahead: queue.ahead,
    overtaken_count,
    oldest_ahead_at: queue.oldest_ahead_at,
    waiting_executors: reach.waiting,
    estimated_wait_seconds: pace === null ? null : Math.ceil(position * pace),
    reasons: [...queueReasons(place, queue), ...capacityReasons(reach)],
  };
};
