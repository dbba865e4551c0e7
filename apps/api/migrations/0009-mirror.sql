-- Issues and pull requests that tasks are linked to (D-34): how a delivery finds their tasks, how far each repository was read,
-- and of which issues only a read can tell what is true.

-- Whoever is linked to an issue, by its identity: owner and repository without regard to case, and number.
create index tasks_git_link on tasks (lower(git_link ->> 'owner'), lower(git_link ->> 'repo'), ((git_link ->> 'number')::bigint))
  where git_link is not null;
-- The same in the order in which they were confirmed, never ones first: their instants are text of one form.
create index tasks_git_confirmed on tasks (lower(git_link ->> 'owner'), lower(git_link ->> 'repo'), (git_state ->> 'synced_at') nulls first)
  where git_link is not null;

-- One row per repository, as tasks name it, that was ever read.
create table mirrored_repositories (
  owner_key text not null, -- as linked, in lower case; after a rename several may lead to one repository
  repo_key text not null,
  owner text, -- what the host calls it now
  repo text,
  repository_id bigint, -- the host's own: of another one under the same name nothing is known
  read_to timestamptz(3), -- by the host's clock; everything that changed before was read. Null: nothing could be read yet
  unreadable_since timestamptz(3), -- our token may not read the repository, at every look since
  looked_at timestamptz(3),
  failure text, -- why the last look changed nothing; null after one that did
  primary key (owner_key, repo_key)
);
create index mirrored_repositories_id on mirrored_repositories (repository_id);

-- Of these linked issues only a read can tell what is true; one that began later takes the row away.
create table mirror_questions (
  owner_key text not null,
  repo_key text not null,
  number bigint not null,
  asked_at timestamptz not null default clock_timestamp(), -- last
  primary key (owner_key, repo_key, number)
);
