-- Capacity signals, several hand-overs to one claim key, and a queue that stays quick under old snapshots.

-- An index over state would have every claim rewrite all indexes of the task; it is the queue that knows what waits.
drop index tasks_state;
create index tasks_outside_queue on tasks (id) where agent_type_id is null;
-- A batch of claims updates whole pages of neighbours at once: each needs room for a second version of its rows.
alter table tasks set (fillfactor = 55);

-- What executors said last: an observation, and for capacity signals the word that counts (D-19, D-23, D-25).
create table executors (
  sub text not null,
  executor text not null,
  actor jsonb not null,
  signal_id uuid, -- of the newest capacity signal; null: it only ever took by GET
  sequence bigint, -- the highest seen
  slots int not null default 0, -- free ones, as signalled last
  organization_id uuid, -- the filters of the last signal
  agent_type_ids uuid[],
  last_signal_at timestamptz(3) not null default now(),
  waiting_until timestamptz(3), -- it waits for a hand-over, unless this has passed
  primary key (sub, executor)
);
create index executors_last_signal on executors (last_signal_at);

alter table dispatches
  add column signal_id uuid, -- the capacity signal it answered; null: taken by GET
  add column signal_sequence bigint, -- of that signal
  add column claim_ordinal int not null default 0; -- among the dispatches of one claim key
drop index dispatches_claim_key;
create unique index dispatches_claim_key on dispatches ((actor ->> 'sub'), executor, claim_key, claim_ordinal)
  where claim_key is not null;
-- Every index is a cost of each hand-over. A task's dispatches are told apart by their attempt: two claims of one task
-- at the same moment cannot both be the n-th.
drop index dispatches_live;
drop index dispatches_task;
drop index dispatches_live_agent_type;
create unique index dispatches_task on dispatches (task_id, attempt);
create index dispatches_live on dispatches (executor, agent_type_id) where ended_at is null;
create index dispatches_executor on dispatches (executor, id);

-- What came back or moved stands below the marks where claims begin to look; see dispatch/low-marks.ts.
create index ready_returned on ready (priority, queue_seq) where returned;
create index ready_agent_type_returned on ready (agent_type_id, priority, queue_seq) where returned;
create index ready_organization_returned on ready (organization_id, priority, queue_seq) where returned;

-- Both are written only in the statement that writes the task, or after its lock: a second look at it for every row of
-- the hottest tables guards nothing.
alter table ready drop constraint ready_task_id_fkey;
alter table dispatches drop constraint dispatches_task_id_fkey;
