// What must hold of every task and of their counts at any moment, whatever raced: checked in one statement after a test file's work.
import type { TestApp } from "./test-app.ts";

interface Violation {
  fault: string;
  /** Null where it is the counts that are wrong. */
  task_id: string | null;
}

/**
 * Every task that is in no place or in two, or whose history does not tell of each of its versions, and every count that
 * is not the number of its tasks. Empty when all is well.
 */
export const findViolations = ({ sql }: Pick<TestApp, "sql">): Promise<Violation[]> => sql<Violation[]>`
  with task as (
    select t.*, r.task_id is not null as is_ready, l.id as live_id, t.state = 'dispatched' as is_dispatched,
      (r.priority, r.queue_seq, r.organization_id, r.agent_type_id)
        is not distinct from (-t.priority, t.queue_seq, t.organization_id, t.agent_type_id) as is_place_right,
      (select count(*) from events e where e.task_id = t.id and e.type not in ('task.noted', 'task.mirrored')) as events,
      (select count(*) from dispatches d where d.task_id = t.id) as dispatches,
      (select a.organization_id from agent_types a where a.id = t.agent_type_id) as owner_id
    from tasks t
    left join ready r on r.task_id = t.id
    left join dispatches l on l.task_id = t.id and l.ended_at is null
  ), number as (
    select organization_id, agent_type_id, priority, sum(queued) as queued, sum(live) as live, sum(ended) as ended from (
      select organization_id, agent_type_id, priority, queued, live, ended from current_task_counts
      union all
      select organization_id, agent_type_id, priority, -(not is_dispatched)::int,
        -(is_dispatched and dispatch_ended_at is null)::int, -(is_dispatched and dispatch_ended_at is not null)::int
      from task
    ) counted group by organization_id, agent_type_id, priority
  )
  select fault, id as task_id from task cross join lateral (values
    ('a queued task of an agent type is not in the queue', not is_dispatched and agent_type_id is not null and not is_ready),
    ('a task is in the queue and dispatched', is_ready and is_dispatched),
    ('a task of no agent type is in the queue', is_ready and agent_type_id is null),
    ('the place in the queue is not the task''s', is_ready and not is_place_right),
    ('a queued task has a live dispatch', not is_dispatched and live_id is not null),
    ('a queued task shows a dispatch',
      not is_dispatched and num_nonnulls(current_dispatch_id, executor, dispatched_at, dispatch_ended_at) > 0),
    ('a dispatched task shows no dispatch', is_dispatched and num_nulls(current_dispatch_id, executor, dispatched_at) > 0),
    ('a dispatched task shows another dispatch than its live one',
      is_dispatched and dispatch_ended_at is null and live_id is distinct from current_dispatch_id),
    ('an ended dispatch is live', is_dispatched and dispatch_ended_at is not null and live_id is not null),
    ('a task that needs attention is queued or live', needs_attention and (not is_dispatched or dispatch_ended_at is null)),
    ('an agent type of another organization has the task', owner_id <> organization_id),
    ('the dispatches are not as many as counted', dispatches <> dispatch_count),
    ('a version has no event of its own', version <> events),
    ('the notes are not as many as counted', note_count <> (select count(*) from notes n where n.task_id = task.id))
  ) as finding (fault, is_broken) where is_broken
  union all
  select format('the counts at priority %s of agent type %s exceed the tasks by %s queued, %s live, %s ended',
    priority, agent_type_id, queued, live, ended), null
  from number where queued <> 0 or live <> 0 or ended <> 0
`;
