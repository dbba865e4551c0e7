// The executors table as an observation: who was seen, with which filters, and who waits (D-25). Capacity signals write their own word there.
import type { Actor, Executor } from "@task-service/contract";
import type { Queryable, Sql } from "../platform/database.ts";

/** How long an executor counts as seen after its last sign. */
const seenFor = (sql: Queryable) => sql`interval '1 hour'`;
/** An observation holds for so long: one that is not renewed every second is of a replica that is gone. */
const waitsFor = (sql: Queryable) => sql`interval '3 seconds'`;
const rememberedFor = (sql: Queryable) => sql`interval '30 days'`;
/** Names are the callers' to choose, so their number is not bounded by that of the executors. */
const maxExecutorsRead = 10_000;
const rowsPerStatement = 500;

export interface Observed {
  actor: Actor;
  executor: string;
  organizationId: string | undefined;
  agentTypeIds: readonly string[] | undefined;
  /** Of its requests, those that wait now. */
  waiting: number;
}

const recordAtOnce = async (sql: Sql, seen: readonly Observed[]): Promise<void> => {
  const rows = seen.map(({ actor, executor, organizationId, agentTypeIds, waiting }) => ({
    actor: { ...actor },
    executor,
    organization_id: organizationId ?? null,
    agent_type_ids: agentTypeIds ? [...agentTypeIds] : null,
    waiting,
  }));
  await sql`
    insert into executors (sub, executor, actor, organization_id, agent_type_ids, slots, waiting_until)
    select actor ->> 'sub', executor, actor, organization_id, agent_type_ids, waiting,
      case when waiting > 0 then now() + ${waitsFor(sql)} end
    from jsonb_to_recordset(${sql.json(rows)})
      as seen (actor jsonb, executor text, organization_id uuid, agent_type_ids uuid[], waiting int)
    order by actor ->> 'sub', executor
    on conflict (sub, executor) do update set
      actor = excluded.actor, organization_id = excluded.organization_id, agent_type_ids = excluded.agent_type_ids,
      waiting_until = excluded.waiting_until,
      slots = case when executors.signal_id is null then excluded.slots else executors.slots end,
      last_signal_at = greatest(executors.last_signal_at, excluded.last_signal_at)
  `;
};

/**
 * Notes that these executors were seen now; each may be named once. What they signalled (`slots`, `sequence`, `signal_id`)
 * is left alone. A statement locks its rows in the order of the key, so replicas that see the same executors do not
 * deadlock, and takes 500 at most: a claim for one of them would pass it over.
 */
export const recordObserved = async (sql: Sql, seen: readonly Observed[]): Promise<void> => {
  for (let from = 0; from < seen.length; from += rowsPerStatement) {
    await recordAtOnce(sql, seen.slice(from, from + rowsPerStatement));
  }
};

/** Deletes the executors that were not seen for 30 days and returns how many; one that is seen just now stays. */
export const forgetExecutors = async (sql: Sql): Promise<number> => {
  const rows = await sql`
    with gone as materialized (
      select sub, executor from executors where last_signal_at < now() - ${rememberedFor(sql)} for update skip locked
    )
    delete from executors e using gone where e.sub = gone.sub and e.executor = gone.executor returning e.sub
  `;
  return rows.length;
};

/**
 * The executors seen in the last hour, ordered by name and caller, from after `after` if given. One that only ever took by
 * GET has free slots while it waits.
 */
export const listExecutors = (
  sql: Queryable,
  after: readonly [executor: string, sub: string] | undefined,
  rows: number,
): Promise<Executor[]> => sql<Executor[]>`
  with page as materialized (
    select * from executors where last_signal_at > now() - ${seenFor(sql)}
      ${after === undefined ? sql`` : sql`and (executor, sub) > (${after[0]}, ${after[1]})`}
    order by executor, sub limit ${rows}
  )
  select page.executor, page.actor, held.live_dispatches,
    case when page.signal_id is not null then greatest(page.slots - held.of_signal, 0)
      when page.waiting_until > now() then page.slots else 0 end as free_slots,
    coalesce(page.waiting_until > now(), false) as is_waiting,
    case when o.id is not null then json_build_object('id', o.id, 'slug', o.slug) end as organization,
    case when page.agent_type_ids is not null then (
      select coalesce(json_agg(json_build_object('id', a.id, 'slug', a.slug) order by a.slug, a.id), '[]')
      from agent_types a where a.id = any(page.agent_type_ids)
    ) end as agent_types,
    page.last_signal_at
  from page
  left join organizations o on o.id = page.organization_id
  cross join lateral (
    select count(*) as live_dispatches, count(*) filter (where d.signal_id = page.signal_id) as of_signal
    from dispatches d where d.executor = page.executor and d.actor ->> 'sub' = page.sub and d.ended_at is null
  ) held
  order by page.executor, page.sub
`;

export interface Reach {
  /** Executors seen in the last hour. */
  seen: number;
  /** Of these, the ones whose filters let the task through. */
  suited: number;
  /** Of these, the ones that wait now. */
  waiting: number;
}

/** How many executors could take a task of this organization and agent type; reads the 10,000 that were seen last. */
export const countExecutors = async (
  sql: Queryable,
  { organization_id, agent_type_id }: { organization_id: string; agent_type_id: string },
): Promise<Reach> => {
  const [reach] = await sql<[Reach]>`
    select count(*) as seen, count(*) filter (where is_suited) as suited,
      count(*) filter (where is_suited and waiting_until > now()) as waiting
    from (
      select waiting_until, coalesce(organization_id = ${organization_id}, true)
        and coalesce(${agent_type_id}::uuid = any(agent_type_ids), true) as is_suited
      from executors where last_signal_at > now() - ${seenFor(sql)}
      order by last_signal_at desc limit ${maxExecutorsRead}
    ) recent
  `;
  return reach;
};
