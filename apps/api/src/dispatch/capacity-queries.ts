// What a capacity signal does to the database before it claims: it becomes its executor's newest, and settles what that one runs (D-19, D-23).
import type { Actor } from "@task-service/contract";
import type { Queryable, Transaction } from "../platform/database.ts";
import type { QueueFilter } from "./queue-head.ts";

export interface NewSignal {
  id: string;
  actor: Actor;
  executor: string;
  sequence: number | undefined;
  slots: number;
  filter: QueueFilter;
}

/** Makes the signal its executor's newest. False if its sequence is not above the highest seen: then nothing changed. */
export const registerSignal = async (
  sql: Queryable,
  { id, actor, executor, sequence, slots, filter }: NewSignal,
): Promise<boolean> => {
  const rows = await sql`
    insert into executors as e (sub, executor, actor, signal_id, sequence, slots, organization_id, agent_type_ids)
    values (${actor.sub}, ${executor}, ${sql.json({ ...actor })}, ${id}, ${sequence ?? null}, ${slots},
      ${filter.organizationId ?? null}, ${filter.agentTypeIds ? [...filter.agentTypeIds] : null}::uuid[])
    on conflict (sub, executor) do update set
      actor = excluded.actor, signal_id = excluded.signal_id, sequence = coalesce(excluded.sequence, e.sequence),
      slots = excluded.slots, organization_id = excluded.organization_id, agent_type_ids = excluded.agent_type_ids,
      last_signal_at = now()
    where excluded.sequence is null or e.sequence is null or excluded.sequence > e.sequence
    returning e.signal_id
  `;
  return rows.length > 0;
};

export interface NamedDispatch {
  id: string;
  outcome: string | null;
}

/** Of the ids an executor named, the dispatches that are its own. */
export const findOwn = (
  sql: Queryable,
  { actor, executor }: Pick<NewSignal, "actor" | "executor">,
  ids: readonly string[],
): Promise<NamedDispatch[]> => sql<NamedDispatch[]>`
  select id, outcome from dispatches
  where id = any(${ids}::uuid[]) and executor = ${executor} and actor ->> 'sub' = ${actor.sub}
`;

/**
 * Live dispatches that an earlier capacity signal handed to the executor and that it does not name: lost on the way.
 * Earlier is a lower sequence, or 10 s ago where one of the two has none. What `claimKey` is bound to is not lost.
 */
export const findLost = async (
  sql: Transaction,
  { actor, executor, sequence }: Pick<NewSignal, "actor" | "executor" | "sequence">,
  named: readonly string[],
  claimKey: string | undefined,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from dispatches
    where executor = ${executor} and actor ->> 'sub' = ${actor.sub} and ended_at is null and signal_id is not null
      and id <> all(${named}::uuid[])
      and (${claimKey ?? null}::text is null or claim_key is distinct from ${claimKey ?? null})
      and coalesce(signal_sequence < ${sequence ?? null}::bigint, dispatched_at < now() - interval '10 seconds')
  `;
  return rows.map(({ id }) => id);
};
