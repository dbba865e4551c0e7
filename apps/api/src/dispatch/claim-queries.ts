// The claim: takes the first task of the queue, marks it, records the dispatch, its key and its event, in one statement (D-18, D-22).
import type { Actor } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { createId } from "../platform/identifiers.ts";

export interface Claim {
  executor: string;
  actor: Actor;
  /** Only tasks of this organization. */
  organizationId: string | undefined;
  /** Only tasks of these agent types, at least one. */
  agentTypeIds: readonly string[] | undefined;
  leaseSeconds: number | undefined;
  claimKey: string | undefined;
}

/** How many places are looked at: more than claims and changes can hold at one moment. */
const placesLookedAt = 32;

/**
 * Whose place is first. Rows that another claim or change holds are passed over, and only the one taken is locked:
 * another claim would pass over the others and go away empty. Several agent types are looked up one by one and
 * merged: each look-up reads the index of its type in order, where `= any()` would scan.
 */
const head = (sql: Sql, { organizationId, agentTypeIds }: Claim) => {
  const ofOrganization = organizationId === undefined ? sql`` : sql`and r.organization_id = ${organizationId}`;
  if (agentTypeIds === undefined) {
    return sql`
      select r.priority, r.queue_seq from ready r where true ${ofOrganization}
      order by r.priority, r.queue_seq limit 1 for update skip locked
    `;
  }
  return sql`
    select place.priority, place.queue_seq from (
      select first.* from unnest(${agentTypeIds}::uuid[]) as wanted (agent_type_id)
      cross join lateral (
        select r.priority, r.queue_seq from ready r where r.agent_type_id = wanted.agent_type_id ${ofOrganization}
        order by r.priority, r.queue_seq limit ${placesLookedAt}
      ) first
      order by first.priority, first.queue_seq limit ${placesLookedAt}
    ) merged
    join ready place on place.priority = merged.priority and place.queue_seq = merged.queue_seq
    order by place.priority, place.queue_seq limit 1 for update of place skip locked
  `;
};

/**
 * Claims one task and returns its dispatch's id; undefined if nothing waits that the filters let through.
 * Fails with a unique violation on `dispatches_claim_key` if the key is bound already; then nothing was claimed.
 */
export const claimNext = async (sql: Sql, claim: Claim): Promise<string | undefined> => {
  const { executor, actor, leaseSeconds = null, claimKey = null } = claim;
  const [dispatch] = await sql<{ id: string }[]>`
    with head as materialized (${head(sql, claim)}),
    taken as (
      delete from ready r using head where r.priority = head.priority and r.queue_seq = head.queue_seq returning r.task_id
    ), task as (
      update tasks t
      set state = 'dispatched', dispatch_count = dispatch_count + 1, current_dispatch_id = ${createId()}, executor = ${executor},
        dispatched_at = now(), dispatch_ended_at = null, updated_at = now(), version = version + 1
      from taken where t.id = taken.task_id
      returning t.id, t.organization_id, t.agent_type_id, t.current_dispatch_id, t.dispatch_count
    ), dispatch as (
      insert into dispatches (id, task_id, organization_id, agent_type_id, agent_type_version_id, executor, actor, claim_key,
        attempt, lease_seconds, lease_expires_at)
      select task.current_dispatch_id, task.id, task.organization_id, task.agent_type_id, a.version_id, ${executor},
        ${sql.json({ ...actor })}, ${claimKey}, task.dispatch_count, ${leaseSeconds}::int,
        now() + make_interval(secs => ${leaseSeconds}::int)
      from task join agent_types a on a.id = task.agent_type_id
      returning id, organization_id, task_id, attempt
    ), event as (
      insert into events (type, organization_id, task_id, actor, data)
      select 'task.dispatched', organization_id, task_id, ${sql.json({ ...actor })},
        jsonb_build_object('dispatch_id', id, 'executor', ${executor}::text, 'attempt', attempt)
      from dispatch
    )
    select id from dispatch
  `;
  return dispatch?.id;
};

/** The dispatch a claim key is bound to, and whether it is still live. */
export const findByClaimKey = async (
  sql: Sql,
  { actor, executor }: Claim,
  claimKey: string,
): Promise<{ id: string; is_live: boolean } | undefined> => {
  const [row] = await sql<{ id: string; is_live: boolean }[]>`
    select id, ended_at is null as is_live from dispatches
    where actor ->> 'sub' = ${actor.sub} and executor = ${executor} and claim_key = ${claimKey}
  `;
  return row;
};
