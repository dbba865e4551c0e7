-- The stream of events (D-28) has the order of their ids: of two changes to one task the later has the higher one, for it
-- waited for the first. An id is drawn only by a transaction that has its number already, so that the numbers of running
-- transactions tell up to which id nothing can appear any more; see events/event-horizon.ts.
create sequence event_ids;
select setval('event_ids', coalesce(max(id), 0) + 1, false) from events;
alter table events
  alter id drop identity,
  alter id set default case when pg_current_xact_id() is not null then nextval('event_ids') end;
alter sequence event_ids owned by events.id;

-- Each of these costs every create, claim and end about 2 µs; a page or a replay by any filter then begins anywhere and
-- reads what it shows, whatever else the history holds.
create index events_type on events (type, id);
create index events_organization on events (organization_id, type, id);
-- By time, for what was updated last and what is old enough to go.
create index events_updates on events (at, task_id);
