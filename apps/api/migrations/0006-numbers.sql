-- Numbers without scans: how many tasks stand where, and what happened, folded into steps of time (D-11, D-29, D-39).

-- How many tasks stand where, by organization, agent type and priority: queued, with a live dispatch, with an ended one.
create table task_counts (
  organization_id uuid not null,
  agent_type_id uuid, -- null: a task of a person or of nobody
  priority int not null,
  queued bigint not null,
  live bigint not null,
  ended bigint not null,
  unique nulls not distinct (organization_id, agent_type_id, priority)
) with (fillfactor = 50);

-- What changed since: each statement that moves tasks adds rows of its own, so that no two wait for one another; a fold
-- takes them away every second. No index, as every create and claim would pay for it.
create table task_count_changes (
  organization_id uuid not null,
  agent_type_id uuid,
  priority int not null,
  queued int not null,
  live int not null,
  ended int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Summed up, these are exact at any moment: a fold moves changes into the counts in one commit.
create view current_task_counts as
  select organization_id, agent_type_id, priority, queued, live, ended from task_counts
  union all
  select organization_id, agent_type_id, priority, queued, live, ended from task_count_changes;

insert into task_counts
select organization_id, agent_type_id, priority, count(*) filter (where state = 'queued'),
  count(*) filter (where state = 'dispatched' and dispatch_ended_at is null),
  count(*) filter (where state = 'dispatched' and dispatch_ended_at is not null)
from tasks group by organization_id, agent_type_id, priority;

-- How far the history is folded into the tables below: every event up to this one is in them, once.
create table stats_position (event_id bigint not null);
insert into stats_position values (0);

-- How many events of each type there ever were.
create table event_totals (
  type text primary key,
  count bigint not null
);

-- What happened in each minute, hour and day, and how the queue stood at the end of it. Tokens are numeric, as sums of
-- bigints may be too large for one.
create table stats_history (
  step text not null check (step in ('minute', 'hour', 'day')),
  at timestamptz(3) not null,
  dispatched bigint not null default 0,
  input_tokens numeric not null default 0,
  output_tokens numeric not null default 0,
  queued bigint, -- null: nobody looked
  live bigint,
  oldest_queued_seconds bigint,
  by_priority jsonb,
  primary key (step, at)
);

-- How many dispatched tasks had waited how long: buckets of logarithmic width, see stats/wait-times.ts.
create table wait_histograms (
  step text not null check (step in ('minute', 'hour')),
  agent_type_id uuid, -- null: of all; agent types by hour only
  at timestamptz(3) not null,
  bucket smallint not null,
  count int not null,
  -- A day of 50 agent types is 30,000 rows, read out of the index alone.
  unique nulls not distinct (step, agent_type_id, at, bucket) include (count)
);

create table usage_days (
  dimension text not null check (dimension in ('agent_type', 'organization', 'executor', 'root')),
  day date not null, -- in UTC
  key text not null, -- empty: none was known
  dispatches bigint not null,
  input_tokens numeric not null,
  output_tokens numeric not null,
  primary key (dimension, day, key)
);
-- There are as many roots in a day as tasks without a parent, and few of the other keys. Roots that used nothing are not
-- looked for, so that a dispatch alone costs no entry here.
create index usage_days_largest_roots on usage_days (day, (input_tokens + output_tokens))
  where dimension = 'root' and input_tokens + output_tokens > 0;
-- All that one of them used: by the primary key, 500 roots over 92 days took 230 ms, by this one 11 ms.
create index usage_days_root on usage_days (key, day) where dimension = 'root';
