// What the filled tasks and dispatches imply, as the service would have left it: the queue, events, labels, notes and counts.
import type { Client } from "pg";

const places = `
  insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id, returned)
  select -priority, queue_seq, id, organization_id, agent_type_id, dispatch_count > 0
  from tasks where state = 'queued' and agent_type_id is not null order by queue_seq
`;

const labels = `
  insert into task_labels (label, task_id) select label, id from tasks cross join lateral unnest(labels) label order by 1, 2
`;

const notes = `
  insert into notes (id, task_id, actor, text, at)
  select uuidv7(at - clock_timestamp()), id, created_by, 'A word on this task, number ' || n, at
  from tasks cross join lateral generate_series(1, note_count) n
  cross join lateral (select created_at + n * interval '1 minute' as at) moment
  where note_count > 0 order by at
`;

// In the order of their time, as they would have been written; the last of each task is of the instant of its last change.
const events = `
  insert into events (at, type, organization_id, task_id, actor, data)
  select * from (
    select created_at as at, 'task.created', organization_id, id, created_by, jsonb_build_object('title', title,
      'priority', priority, 'assignee_type', assignee_type, 'assignee', assignee, 'parent_id', parent_id)
    from tasks
    union all
    select d.dispatched_at, 'task.dispatched', d.organization_id, task_id, actor, jsonb_build_object('dispatch_id', d.id,
      'executor', d.executor, 'attempt', attempt, 'agent_type_id', d.agent_type_id, 'root_id', root_id,
      'waited_ms', (extract(epoch from d.dispatched_at - t.created_at) * 1000)::bigint)
    from dispatches d join tasks t on t.id = d.task_id
    union all
    select ended_at, 'task.' || outcome, organization_id, task_id, actor,
      jsonb_build_object('dispatch_id', id, 'attempt', attempt)
    from dispatches where ended_at is not null
    union all
    select d.ended_at - (d.ended_at - d.dispatched_at) / 10, 'task.updated', d.organization_id, task_id, actor,
      jsonb_build_object('changes', jsonb_build_object(
          'input_tokens', jsonb_build_object('old', 0, 'new', d.input_tokens),
          'output_tokens', jsonb_build_object('old', 0, 'new', d.output_tokens)),
        'usage', jsonb_build_object('root_id', root_id, 'agent_type_id', d.agent_type_id, 'executor', d.executor))
    from dispatches d join tasks t on t.id = d.task_id where d.input_tokens > 0
    union all
    select updated_at, 'task.updated', organization_id, id, created_by,
      jsonb_build_object('changes', jsonb_build_object('title', jsonb_build_object('old', 'As it was', 'new', title)))
    from tasks where updated_at > greatest(created_at, queued_at, dispatched_at, dispatch_ended_at)
    union all
    select at, 'task.noted', t.organization_id, task_id, actor, jsonb_build_object('note_id', n.id, 'text', text)
    from notes n join tasks t on t.id = n.task_id
  ) event (at, type, organization_id, task_id, actor, data)
  order by at
`;

const counts = [
  "truncate task_counts, task_count_changes",
  `insert into task_counts
  select organization_id, agent_type_id, priority, count(*) filter (where state = 'queued'),
    count(*) filter (where state = 'dispatched' and dispatch_ended_at is null),
    count(*) filter (where state = 'dispatched' and dispatch_ended_at is not null)
  from tasks group by organization_id, agent_type_id, priority`,
];

/** Needs the tasks and dispatches. */
export const fillHistory = async (client: Client): Promise<void> => {
  for (const statement of [places, labels, notes, events, ...counts]) await client.query(statement);
  await client.query("select setval('queue_seq', coalesce(max(queue_seq), 0) + 1, false) from tasks");
};
