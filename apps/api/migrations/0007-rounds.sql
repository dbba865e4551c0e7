-- Work that all replicas repeat, one of them at a time (D-32): who does it now, and when it was begun last.

create table rounds (
  name text primary key,
  begun_at timestamptz not null default now(),
  holder uuid, -- the replica that does it, until held_until unless it says otherwise
  held_until timestamptz
);
