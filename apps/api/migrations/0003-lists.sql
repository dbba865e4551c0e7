-- Lists by every filter, and search. Each filter has the tasks that match it in the order of their ids, so that a page can
-- begin anywhere; no index of tasks holds what a claim or the end of a dispatch changes.

-- An agent type is found by its id, a person by name: no task needs both entries.
drop index tasks_assignee;
drop index tasks_agent_type;
create index tasks_agent_type on tasks (agent_type_id, id) where agent_type_id is not null;
create index tasks_person on tasks (assignee, id) where assignee_type = 'user';
create index tasks_of_people on tasks (id) where assignee_type = 'user';
-- Of nobody or a person now, but once in the queue: only such a one can have been dispatched.
create index tasks_once_queued on tasks (id) where agent_type_id is null and queue_seq is not null;
create index tasks_root on tasks (root_id, id) where depth > 0;
create index tasks_created_by on tasks ((created_by ->> 'sub'), id);
create index tasks_priority on tasks (priority, id);
create index tasks_needs_attention on tasks (id) where needs_attention;
create index tasks_git_state on tasks ((git_state ->> 'state'), id) where git_state is not null;

-- The labels of tasks, once more: an index over an array knows no order.
create table task_labels (
  label text not null,
  task_id uuid not null,
  primary key (label, task_id)
);
insert into task_labels (label, task_id) select distinct unnest(labels), id from tasks;

-- Words as search compares them: without regard to case, and none that punctuation holds together (the parser would keep
-- `src/login.ts` whole). Nested, as one translate() costs three times all the rest.
create function words_of(value text) returns tsvector immutable strict parallel safe cost 1000 language sql
return to_tsvector('simple',
  replace(replace(replace(replace(replace(replace(replace(replace(replace(value,
    '/', ' '), '.', ' '), '-', ' '), '_', ' '), '@', ' '), '<', ' '), ':', ' '), '&', ' '), '+', ' '));

-- Each word must occur, the last one as the beginning of one; null if there is no word (D-16).
create function search_query(value text) returns tsquery immutable strict parallel safe language sql
return (
  select string_agg(quote_literal(lexeme) || case when is_last and cardinality(positions) = 1 then ':*' else '' end, ' & ')::tsquery
  from (select *, positions[cardinality(positions)] = max(positions[cardinality(positions)]) over () as is_last from unnest(words_of(value))) word
);

-- What people search in.
create function searched_words(title text, prompt text) returns tsvector immutable strict parallel safe cost 1000 language sql
return words_of(title || ' ' || left(prompt, 8192));

-- Where a search looks: these words, and what narrows it to a part of all tasks. No word has a `#`, so
-- none is taken for such a mark. `#t` marks when the task was created, by the first digits of its id: 4 s, 1 min, 17 min,
-- 5 h, 3 days.
create function search_terms(id uuid, organization_id uuid, agent_type_id uuid, title text, prompt text)
returns tsvector immutable parallel safe cost 1000 language sql
return strip(searched_words(title, prompt)) || array_to_tsvector(array_remove(array[
  '#o' || organization_id, '#a' || agent_type_id,
  '#t' || left(id::text, 5), '#t' || left(id::text, 6), '#t' || left(id::text, 7), '#t' || left(id::text, 8), '#t' || left(id::text, 10)
], null));

-- New entries wait in a list that a background run empties every second: no create pays for the merging.
create index tasks_search on tasks using gin (search_terms(id, organization_id, agent_type_id, title, prompt))
  with (fastupdate = on, gin_pending_list_limit = 16384);

-- Who overtook whom is told by dispatches alone.
alter table dispatches add column queue_seq bigint; -- the task's
-- In the order in which they are listed. Live ones by agent type are counted elsewhere.
drop index dispatches_live;
create index dispatches_live on dispatches (executor, id) where ended_at is null;
