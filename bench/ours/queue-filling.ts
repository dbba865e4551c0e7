// Queues tasks straight in the tables, as `POST /tasks` leaves them: task, place in the queue, event, and counted.
import type { Client } from "pg";
import { priorities, promptCharacters, promptStarts, promptText } from "../harness/task-shape.ts";
import { rareSlug } from "./fleet.ts";

export interface Filling {
  /** How many of these are to wait. */
  count: number;
  /** Tasks of the rare agent type, behind all others, instead of tasks of the five. */
  isRare?: boolean;
}

// A few seconds at most: a place taken early but committed late is no common sight.
const batchSize = 20_000;
const lowestPriority = -1000;

const insertBatch = `
  with type as (
    select id, organization_id, row_number() over (order by slug) - 1 as number, count(*) over () as types
    from agent_types where (slug = $1) = $2
  ), given as (
    select uuidv7() as id, nextval('queue_seq') as queue_seq, type.organization_id, type.id as agent_type_id,
      substr($3::text, 1 + n % $4::int, $5::int) as prompt,
      case when $2 then $6::int else ($7::int[])[1 + n % cardinality($7::int[])] end as priority
    from generate_series($8::int, $9::int - 1) n join type on type.number = n % type.types
  ), task as (
    insert into tasks (id, organization_id, title, prompt, priority, assignee_type, assignee, root_id, depth, queue_seq,
      created_by, created_at)
    select id, organization_id, left(prompt, 120), prompt, priority, 'agent', agent_type_id::text, id, 0, queue_seq,
      '{"sub": "alice", "name": "alice"}', now()
    from given
  ), place as (
    insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id)
    select -priority, queue_seq, id, organization_id, agent_type_id from given
  ), counted as (
    insert into task_count_changes (organization_id, agent_type_id, priority, queued, live, ended)
    select organization_id, agent_type_id, priority, count(*), 0, 0 from given group by 1, 2, 3
  )
  insert into events (type, organization_id, task_id, actor, data)
  select 'task.created', organization_id, id, '{"sub": "alice", "name": "alice"}',
    jsonb_build_object('title', left(prompt, 120), 'priority', priority, 'assignee_type', 'agent',
      'assignee', agent_type_id, 'parent_id', null)
  from given
`;

const countWaiting =
  "select count(*)::int as count from ready r join agent_types t on t.id = r.agent_type_id where (t.slug = $1) = $2";

/** Adds tasks until `count` of them wait. */
export const fillQueue = async (client: Client, { count, isRare = false }: Filling): Promise<void> => {
  const { rows } = await client.query<{ count: number }>(countWaiting, [rareSlug, isRare]);
  const waiting = rows[0]?.count ?? 0;
  await queueTasks(client, waiting, count, isRare);
};

/** Adds the tasks from number `first` to before number `end`. */
export const queueTasks = async (client: Client, first: number, end: number, isRare = false): Promise<void> => {
  // References are right by construction; checking a million of them one by one takes longer than all else.
  await client.query("set session_replication_role = replica");
  for (let n = first; n < end; n += batchSize)
    await client.query(insertBatch, [
      rareSlug,
      isRare,
      promptText,
      promptStarts,
      promptCharacters,
      lowestPriority,
      priorities,
      n,
      Math.min(n + batchSize, end),
    ]);
  await client.query("set session_replication_role = origin");
};

/** What autovacuum has done on a server that did not come by its queue in one minute. */
export const tidyQueue = async (client: Client): Promise<void> => {
  await client.query("vacuum (analyze) ready, tasks, dispatches, events");
};
