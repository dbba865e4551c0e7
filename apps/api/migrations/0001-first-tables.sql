-- Organizations, their agent types, tasks, the queue, dispatches and the history.
-- Instants have milliseconds, as the API shows them.

-- An instant inside a JSON value, written as the API writes them.
create function instant(value timestamptz) returns text language sql stable
return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table organizations (
  id uuid primary key,
  slug text not null,
  name text not null,
  agents_repo_owner text, -- null: the conventional repository <slug>/<slug>-agents
  agents_repo_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((agents_repo_owner is null) = (agents_repo_name is null))
);
create unique index organizations_slug on organizations (lower(slug));
create index organizations_repository on organizations
  (lower(coalesce(agents_repo_owner, slug)), lower(coalesce(agents_repo_name, slug || '-agents')));

-- One row per organization that was ever asked to synchronize; also the lock of its run.
create table agent_syncs (
  organization_id uuid primary key references organizations,
  status text not null default 'never' check (status in ('never', 'ok', 'not_configured', 'partial', 'failed')),
  message text,
  repository text, -- "owner/name" that commit is of: another one begins afresh
  commit text, -- the head that was read completely
  started_at timestamptz(3),
  finished_at timestamptz(3),
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]',
  missing_since timestamptz(3), -- the repository was missing at every run since
  holder uuid, -- the run that holds the organization, until held_until unless it says otherwise
  held_until timestamptz(3),
  requested bigint not null default 0, -- runs asked for
  serving bigint not null default 0, -- of these, the ones the current run serves
  served bigint not null default 0 -- of these, the ones that are done
);

create table agent_types (
  id uuid primary key,
  organization_id uuid not null references organizations,
  slug text not null,
  name text not null,
  description text not null,
  body text not null,
  is_active boolean not null,
  last_synced_at timestamptz(3) not null,
  version_id uuid not null,
  unique (organization_id, slug)
);

-- Every body an agent type ever had. Rows never change: a dispatch refers to the one it carried.
create table agent_type_versions (
  id uuid primary key,
  agent_type_id uuid not null references agent_types,
  name text not null,
  description text not null,
  body text not null,
  repo_owner text not null,
  repo_name text not null,
  path text not null,
  commit text not null,
  blob_sha text not null,
  first_seen_at timestamptz(3) not null
);
create index agent_type_versions_agent_type on agent_type_versions (agent_type_id, id);

create sequence queue_seq;

create table tasks (
  id uuid primary key, -- UUIDv7 of the same instant as created_at: sorting by one sorts by the other
  organization_id uuid not null references organizations,
  title text not null,
  prompt text not null,
  priority int not null, -- of 16 bits; wider, so that ready can negate each of them
  assignee_type text check (assignee_type in ('agent', 'user')),
  assignee text,
  agent_type_id uuid references agent_types
    generated always as (case when assignee_type = 'agent' then assignee::uuid end) stored,
  state text not null default 'queued' check (state in ('queued', 'dispatched')),
  needs_attention boolean not null default false,
  labels text[] not null default '{}',
  parent_id uuid references tasks,
  root_id uuid not null,
  depth int not null,
  git_link jsonb,
  git_state jsonb,
  result text,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  dispatch_count int not null default 0,
  current_dispatch_id uuid,
  executor text,
  dispatched_at timestamptz(3),
  dispatch_ended_at timestamptz(3),
  failures int not null default 0, -- dispatches in a row that did not finish
  queue_seq bigint, -- the place among equal priorities, for life; null until first assigned to an agent type
  created_by jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null default now(),
  queued_at timestamptz(3) not null default now(),
  version bigint not null default 1,
  check ((assignee_type is null) = (assignee is null))
) with (fillfactor = 85);
create index tasks_organization on tasks (organization_id, id);
create index tasks_assignee on tasks (assignee, id) where assignee is not null;
create index tasks_parent on tasks (parent_id, id) where parent_id is not null;
create index tasks_state on tasks (state, id);
create index tasks_agent_type on tasks (agent_type_id) where agent_type_id is not null;

-- The queue: one narrow row per task that waits for an executor, in dispatch order. Only inserted and deleted.
create table ready (
  priority int not null, -- negated, so that both columns ascend
  queue_seq bigint not null,
  task_id uuid not null unique references tasks,
  organization_id uuid not null,
  agent_type_id uuid not null,
  returned boolean not null default false, -- came back or moved: its queue_seq is not brand new
  primary key (priority, queue_seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index ready_agent_type on ready (agent_type_id, priority, queue_seq);
create index ready_organization on ready (organization_id, priority, queue_seq);

create table dispatches (
  id uuid primary key,
  task_id uuid not null references tasks,
  organization_id uuid not null,
  agent_type_id uuid not null,
  agent_type_version_id uuid not null, -- of agent_type_versions, whose rows go only after their dispatches
  executor text not null,
  actor jsonb not null,
  claim_key text,
  attempt int not null,
  dispatched_at timestamptz(3) not null default now(),
  lease_seconds int,
  lease_expires_at timestamptz(3),
  last_heard_at timestamptz(3) not null default now(),
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  ended_at timestamptz(3),
  outcome text check (outcome in ('finished', 'released', 'requeued', 'expired', 'lost', 'disconnected')),
  reason text,
  check ((ended_at is null) = (outcome is null))
);
create unique index dispatches_live on dispatches (task_id) where ended_at is null;
create unique index dispatches_claim_key on dispatches ((actor ->> 'sub'), executor, claim_key) where claim_key is not null;
create index dispatches_lease on dispatches (lease_expires_at) where ended_at is null and lease_expires_at is not null;
create index dispatches_live_agent_type on dispatches (agent_type_id) where ended_at is null;
create index dispatches_task on dispatches (task_id, id);

-- Events outlive what they tell of, so they refer to nothing.
create table events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  type text not null,
  organization_id uuid,
  task_id uuid,
  actor jsonb not null,
  data jsonb not null default '{}'
);
create index events_task on events (task_id, id) where task_id is not null;
