// What executors do with dispatches: take the next one, keep it alive, end it (D-20 to D-25).
import type { Actor, Dispatch, DispatchDetail, Handoff, NextQuery, Requeue, Task } from "@task-service/contract";
import { findAgentTypeIds } from "../agents/agent-type-queries.ts";
import { appendEvent } from "../events/event-queries.ts";
import { findOrganizationIds } from "../organizations/organization-queries.ts";
import { type Sql, transact } from "../platform/database.ts";
import { missing, RequestProblem } from "../platform/problems.ts";
import { checkDispatch, checkVersion } from "../tasks/task-guards.ts";
import { findTask, lockTask, returnToQueue } from "../tasks/task-queries.ts";
import { type Claim, claimNext, findByClaimKey } from "./claim-queries.ts";
import { type EndOutcome, endDispatches, endRequeued, markQueued } from "./dispatch-ends.ts";
import { findDispatch, findHandoff, renewDispatch } from "./dispatch-queries.ts";

export interface DispatchDeps {
  sql: Sql;
  gitUrl: string;
  maxLostDispatches: number;
}

const unknownFilter = (pointer: string, detail: string): RequestProblem =>
  new RequestProblem("unknown_filter", detail, { errors: [{ pointer, detail }] });

/** Turns the filters into ids; a filter that can never match is refused rather than waited for. */
const resolveFilters = async (sql: Sql, { organization, agent_type }: NextQuery) => {
  const [organizationId] = organization === undefined ? [] : await findOrganizationIds(sql, [organization]);
  if (organization !== undefined && organizationId === undefined) {
    throw unknownFilter("?organization", "There is no such organization.");
  }
  if (agent_type === undefined) return { organizationId, agentTypeIds: undefined };
  const found = await findAgentTypeIds(sql, agent_type, organizationId);
  if (found.includes(undefined)) {
    const hint = organizationId === undefined ? " Send ids, or slugs together with an organization." : "";
    throw unknownFilter("?agent_type", `At least one agent type does not exist there.${hint}`);
  }
  return { organizationId, agentTypeIds: [...new Set(found.filter((id) => id !== undefined))] };
};

const isKeyTaken = (error: unknown): boolean =>
  (error as { constraint_name?: string }).constraint_name === "dispatches_claim_key";

/** The dispatch bound to a claim key, if it is live; `claim_key_spent` if it is over. */
const replay = async (sql: Sql, claim: Claim, claimKey: string): Promise<string | undefined> => {
  const bound = await findByClaimKey(sql, claim, claimKey);
  if (bound && !bound.is_live) {
    throw new RequestProblem("claim_key_spent", "The dispatch of this claim key is over; use a fresh key.");
  }
  return bound?.id;
};

const claimOrReplay = async (sql: Sql, claim: Claim): Promise<string | undefined> => {
  const { claimKey } = claim;
  if (claimKey === undefined) return claimNext(sql, claim);
  const bound = await replay(sql, claim, claimKey);
  if (bound !== undefined) return bound;
  return claimNext(sql, claim).catch((error: unknown) => {
    if (isKeyTaken(error)) return replay(sql, claim, claimKey);
    throw error;
  });
};

/** The next task for an executor, or null. Throws `unknown_filter` or `claim_key_spent`. */
export const takeNext = async (
  { sql, gitUrl }: DispatchDeps,
  query: NextQuery,
  actor: Actor,
): Promise<Handoff | null> => {
  const id = await claimOrReplay(sql, {
    ...(await resolveFilters(sql, query)),
    executor: query.executor ?? actor.name,
    actor,
    leaseSeconds: query.lease_seconds,
    claimKey: query.claim_key,
  });
  return (id !== undefined && (await findHandoff(sql, gitUrl, id))) || null;
};

/** Throws `not_found`. */
export const readDispatch = async ({ sql, gitUrl }: DispatchDeps, id: string): Promise<DispatchDetail> => {
  const dispatch = await findDispatch(sql, gitUrl, id);
  if (!dispatch) throw missing("dispatch");
  return dispatch;
};

const stale = ({ outcome }: Dispatch): RequestProblem =>
  new RequestProblem("stale_dispatch", `This dispatch is over (${outcome}); stop and forget it.`);

/** Renews the lease. Throws `not_found` or `stale_dispatch`. */
export const hearFrom = async (deps: DispatchDeps, id: string): Promise<Dispatch> => {
  const isLive = await renewDispatch(deps.sql, id);
  const dispatch = await readDispatch(deps, id);
  if (!isLive) throw stale(dispatch);
  return dispatch;
};

/** Ends a live dispatch; repeated, it answers the same. Throws `not_found`, or `stale_dispatch` if it ended otherwise. */
export const endDispatch = async (
  deps: DispatchDeps,
  id: string,
  outcome: EndOutcome,
  reason: string | null,
  actor: Actor,
): Promise<Dispatch> => {
  await endDispatches(deps.sql, [id], { outcome, reason, actor, maxLostDispatches: deps.maxLostDispatches });
  const dispatch = await readDispatch(deps, id);
  if (dispatch.outcome !== outcome) throw stale(dispatch);
  return dispatch;
};

/** Returns a dispatched task to its place. Throws `not_found`, `precondition_failed`, `already_queued` or `stale_dispatch`. */
export const requeueTask = (
  { sql }: DispatchDeps,
  id: string,
  { reason = null, dispatch_id }: Requeue,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<Task> =>
  transact(sql, async (transaction) => {
    const task = await lockTask(transaction, id);
    if (!task) throw missing("task");
    checkVersion(task, ifMatch);
    checkDispatch(task, dispatch_id);
    if (task.state === "queued") throw new RequestProblem("already_queued", "The task is queued already.");
    await endRequeued(transaction, id, reason);
    await markQueued(transaction, id);
    await returnToQueue(transaction, id);
    const data = { dispatch_id: task.current_dispatch_id, ...(reason !== null && { reason }) };
    await appendEvent(transaction, {
      type: "task.requeued",
      organization_id: task.organization_id,
      task_id: id,
      actor,
      data,
    });
    const requeued = await findTask(transaction, id);
    if (!requeued) throw missing("task");
    return requeued;
  });
