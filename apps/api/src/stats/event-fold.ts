// Folds the history into rollups (D-29): what was dispatched, how long it waited, what it used, by steps of time.
import type { EventType } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { bucketOf } from "./wait-times.ts";

const maxBatch = 5000;

/**
 * Folds up to `rows` events between the position and `upTo`, and returns how many there were. Position and rollups
 * change in one statement, under the lock of the position: each event counts once, whoever folds and whatever fails.
 */
const foldBatch = async (sql: Sql, upTo: string, rows: number): Promise<number> => {
  const [folded] = await sql<[{ events: number }]>`
    with position as materialized (
      select event_id from stats_position for update skip locked
    ), batch as materialized (
      select id, at, type, organization_id, task_id, data from events
      where id > (select event_id from position) and id <= ${upTo}::bigint order by id limit ${rows}
    ), moved as (
      update stats_position set event_id = last.id from (select max(id) as id from batch) last where last.id is not null
    ), fact as materialized (
      select at, organization_id, task_id, data as source, (data ->> 'waited_ms')::bigint as waited_ms, 1 as dispatches,
        0::numeric as input_tokens, 0::numeric as output_tokens
      from batch where type = 'task.dispatched'
      union all
      select at, organization_id, task_id, data -> 'usage', null, 0,
        ${growth(sql, "input_tokens")}, ${growth(sql, "output_tokens")}
      from batch where type = 'task.updated' and data -> 'changes' ?| array['input_tokens', 'output_tokens']
    ), total as (
      insert into event_totals as kept (type, count) select type, count(*) from batch group by type
      on conflict (type) do update set count = kept.count + excluded.count
    ), history as (
      insert into stats_history as kept (step, at, dispatched, input_tokens, output_tokens)
      select step, date_trunc(step, at), sum(dispatches), sum(input_tokens), sum(output_tokens)
      from fact cross join (values ('minute'), ('hour'), ('day')) as steps (step) group by 1, 2 order by 1, 2
      on conflict (step, at) do update set dispatched = kept.dispatched + excluded.dispatched,
        input_tokens = kept.input_tokens + excluded.input_tokens, output_tokens = kept.output_tokens + excluded.output_tokens
    ), wait as (
      insert into wait_histograms as kept (step, agent_type_id, at, bucket, count)
      select step, agent_type_id, date_trunc(step, at), ${bucketOf(sql, sql`waited_ms`)}, count(*)
      from fact cross join lateral (values
        ('minute', null), ('hour', null), ('hour', (source ->> 'agent_type_id')::uuid)
      ) as histogram (step, agent_type_id)
      where waited_ms is not null group by 1, 2, 3, 4
      on conflict (step, agent_type_id, at, bucket) do update set count = kept.count + excluded.count
    ), usage as (
      insert into usage_days as kept (dimension, day, key, dispatches, input_tokens, output_tokens)
      select dimension, (at at time zone 'UTC')::date, coalesce(key, ''), sum(dispatches), sum(input_tokens), sum(output_tokens)
      from fact cross join lateral (values
        ('agent_type', source ->> 'agent_type_id'), ('organization', organization_id::text),
        ('executor', source ->> 'executor'), ('root', coalesce(source ->> 'root_id', task_id::text))
      ) as part (dimension, key)
      group by 1, 2, 3
      on conflict (dimension, day, key) do update set dispatches = kept.dispatches + excluded.dispatches,
        input_tokens = kept.input_tokens + excluded.input_tokens, output_tokens = kept.output_tokens + excluded.output_tokens
    )
    select count(*)::int as events from batch
  `;
  return folded.events;
};

/** By how much a change of a task's sums raised them. */
const growth = (sql: Sql, field: "input_tokens" | "output_tokens") => sql`
  coalesce((data #>> ${["changes", field, "new"]})::numeric - (data #>> ${["changes", field, "old"]})::numeric, 0)
`;

/** Folds all events up to the one of this id, as far as they are not folded. Every replica may; one at a time does. */
export const foldEvents = async (sql: Sql, upTo: string, batch = maxBatch): Promise<void> => {
  let folded: number;
  do folded = await foldBatch(sql, upTo, batch);
  while (folded === batch);
};

/** How old the first event is that is not folded yet, in seconds; 0 if all are. */
export const readFoldLag = async (sql: Sql): Promise<number> => {
  const [first] = await sql<{ seconds: number }[]>`
    select greatest(extract(epoch from now() - at), 0)::float8 as seconds from events
    where id > (select event_id from stats_position) order by id limit 1
  `;
  return first?.seconds ?? 0;
};

/** How many events of each type there were in all, as far as they are folded. */
export const listEventTotals = (sql: Sql): Promise<{ type: EventType; count: number }[]> =>
  sql<{ type: EventType; count: number }[]>`select type, count from event_totals order by type`;
