// Claim keys (D-22): a repeated key claims nothing but is answered what it was bound to.
import type { Handoff } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { RequestProblem } from "../platform/problems.ts";
import { boundWaiters, type ClaimingKey } from "./claim-queries.ts";
import { findHandoff, renewDispatches } from "./dispatch-queries.ts";

export interface KeyedClaim {
  sub: string;
  executor: string;
  claimKey: string;
}

export interface Replay {
  /** Those still live, in the order they were handed over. */
  dispatches: Handoff[];
  /** Those that are over. */
  revoked: string[];
}

interface BoundDispatch {
  id: string;
  is_live: boolean;
  /** It ended so long ago that its key may be used anew. */
  is_forgotten: boolean;
}

const ofKey = (sql: Sql, { sub, executor, claimKey }: KeyedClaim) =>
  sql`actor ->> 'sub' = ${sub} and executor = ${executor} and claim_key = ${claimKey}`;

const isForgotten = (sql: Sql) => sql`ended_at < now() - interval '24 hours'`;

/** The waiters whose key is bound: a twin on another replica may have claimed. */
export const findBound = async (sql: Sql, keys: readonly ClaimingKey[]): Promise<number[]> => {
  const rows = await sql<{ waiter: number }[]>`${boundWaiters(sql, keys)}`;
  return rows.map(({ waiter }) => waiter);
};

/**
 * What the key is bound to; undefined if it is free. Throws `claim_key_spent` if all of it is over,
 * until 24 h after the last end.
 */
export const replayClaim = async (sql: Sql, gitUrl: string, claim: KeyedClaim): Promise<Replay | undefined> => {
  const bound = await sql<BoundDispatch[]>`
    select id, ended_at is null as is_live, coalesce(${isForgotten(sql)}, false) as is_forgotten
    from dispatches where ${ofKey(sql, claim)} order by claim_ordinal
  `;
  if (bound.length === 0) return undefined;
  if (bound.every(({ is_forgotten }) => is_forgotten)) {
    await sql`update dispatches set claim_key = null where ${ofKey(sql, claim)} and ${isForgotten(sql)}`;
    return undefined;
  }
  // Heard of again, so that nobody takes them back as undelivered.
  const renewed = await renewDispatches(
    sql,
    bound.flatMap(({ id, is_live }) => (is_live ? [id] : [])),
  );
  const live = bound.filter(({ id }) => renewed.includes(id));
  if (live.length === 0) {
    // It ended this very moment; if it was taken back, the key is free again.
    if (bound.some(({ is_live }) => is_live)) return replayClaim(sql, gitUrl, claim);
    throw new RequestProblem("claim_key_spent", "What this claim key was bound to is over; use a fresh key.");
  }
  const dispatches: Handoff[] = [];
  for (const { id } of live) {
    const handoff = await findHandoff(sql, gitUrl, id);
    if (handoff) dispatches.push(handoff);
  }
  return { dispatches, revoked: bound.filter((one) => !live.includes(one)).map(({ id }) => id) };
};
