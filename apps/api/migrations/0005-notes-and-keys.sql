-- Notes on tasks (D-38), and the keys by which a repeated creation is known (D-17).

-- Written only under the lock of their task, and removed with it: a foreign key would guard nothing.
create table notes (
  id uuid primary key, -- UUIDv7 of the same instant as at: sorting by one sorts by the other
  task_id uuid not null,
  dispatch_id uuid, -- whose worker left it, or that it says why it ended
  actor jsonb not null,
  text text not null,
  at timestamptz(3) not null
);
create index notes_task on notes (task_id, id);

-- Tells a claim whether a task has notes at all: most have none, and a hand-over looks for none then.
alter table tasks add column note_count int not null default 0;

create table idempotency_keys (
  sub text not null,
  key text not null,
  fingerprint text not null, -- SHA-256 of what was asked for
  resource_ids uuid[] not null, -- what it created, in the order of the answer
  created_at timestamptz(3) not null default now(),
  primary key (sub, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
