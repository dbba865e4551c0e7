// What executors do with dispatches: take the next one, keep it alive, end it (D-20 to D-25).
import type { Actor, Dispatch, DispatchDetail, Handoff, NextQuery, Requeue, Task } from "@task-service/contract";
import { appendEvent } from "../events/event-queries.ts";
import type { WhenUnanswered } from "../platform/caller-presence.ts";
import { type Transaction, transact } from "../platform/database.ts";
import { missing, RequestProblem } from "../platform/problems.ts";
import { writeMove } from "../tasks/count-queries.ts";
import { isWord, noteReason } from "../tasks/note-service.ts";
import { checkDispatch, checkVersion } from "../tasks/task-guards.ts";
import { findTask, lockTask, returnToQueue } from "../tasks/task-queries.ts";
import {
  type DispatchEnd,
  type EndedDispatch,
  type EndOutcome,
  endDispatches,
  endRequeued,
  markQueued,
  tellEnded,
} from "./dispatch-ends.ts";
import { findDispatch, renewDispatches } from "./dispatch-queries.ts";
import { type HandOverDeps, handOver, resolveUnlessRepeated } from "./hand-over.ts";

/** The next task for an executor, or null. Throws `unknown_filter` or `claim_key_spent`. */
export const takeNext = async (
  deps: HandOverDeps,
  query: NextQuery,
  actor: Actor,
  whenUnanswered: WhenUnanswered,
): Promise<Handoff | null> => {
  const { organization, agent_type, executor = actor.name, wait_seconds = 0, lease_seconds, claim_key } = query;
  const pointers = { organization: "?organization", agentTypes: "?agent_type" };
  const named = { organization, agentTypes: agent_type, pointers };
  const { filter, replay } = await resolveUnlessRepeated(deps, named, { executor, actor, claimKey: claim_key });
  if (replay) return replay.dispatches[0] ?? null;
  const { dispatches } = await handOver(
    deps,
    {
      filter,
      executor,
      actor,
      slots: 1,
      leaseSeconds: lease_seconds,
      claimKey: claim_key,
      signal: undefined,
      waitMs: wait_seconds * 1000,
    },
    whenUnanswered,
  );
  return dispatches[0] ?? null;
};

/** Throws `not_found`. */
export const readDispatch = async ({ sql, gitUrl }: HandOverDeps, id: string): Promise<DispatchDetail> => {
  const dispatch = await findDispatch(sql, gitUrl, id);
  if (!dispatch) throw missing("dispatch");
  return dispatch;
};

const stale = ({ outcome }: Dispatch): RequestProblem =>
  new RequestProblem("stale_dispatch", `This dispatch is over (${outcome}); stop and forget it.`);

/** Renews the lease. Throws `not_found` or `stale_dispatch`. */
export const hearFrom = async (deps: HandOverDeps, id: string): Promise<Dispatch> => {
  const renewed = await renewDispatches(deps.sql, [id]);
  const dispatch = await readDispatch(deps, id);
  if (renewed.length === 0) throw stale(dispatch);
  return dispatch;
};

/** Ends a live dispatch and leaves its caller's reason on the task. */
const endWithWord = async (
  transaction: Transaction,
  id: string,
  end: DispatchEnd & { reason: string },
): Promise<EndedDispatch[]> => {
  const ended = await endDispatches(transaction, [id], end);
  for (const { task_id } of ended) await noteReason(transaction, { ...end, task_id, dispatch_id: id });
  return ended;
};

/** Ends a live dispatch; repeated, it answers the same. Throws `not_found`, or `stale_dispatch` if it ended otherwise. */
export const endDispatch = async (
  deps: HandOverDeps,
  id: string,
  outcome: EndOutcome,
  reason: string | null,
  actor: Actor,
): Promise<Dispatch> => {
  const { sql, engine, maxLostDispatches, hit } = deps;
  const end = { outcome, reason, actor, maxLostDispatches };
  const ended = isWord(reason)
    ? await transact(sql, (transaction) => endWithWord(transaction, id, { ...end, reason }))
    : await endDispatches(sql, [id], end);
  await hit("end-committed");
  tellEnded(engine.signals, ended);
  const dispatch = await readDispatch(deps, id);
  if (dispatch.outcome !== outcome) throw stale(dispatch);
  return dispatch;
};

/** Returns a dispatched task to its place. Throws `not_found`, `precondition_failed`, `already_queued` or `stale_dispatch`. */
export const requeueTask = async (
  { sql, engine }: Pick<HandOverDeps, "sql" | "engine">,
  id: string,
  { reason = null, dispatch_id }: Requeue,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<Task> => {
  const { requeued, ended } = await transact(sql, async (transaction) => {
    const task = await lockTask(transaction, id);
    if (!task) throw missing("task");
    checkVersion(task, ifMatch);
    checkDispatch(task, dispatch_id);
    if (task.state === "queued") throw new RequestProblem("already_queued", "The task is queued already.");
    const ended = await endRequeued(transaction, id, reason);
    await markQueued(transaction, id);
    await returnToQueue(transaction, id);
    if (isWord(reason)) {
      await noteReason(transaction, { task_id: id, dispatch_id: task.current_dispatch_id, actor, reason });
    }
    const data = { dispatch_id: task.current_dispatch_id, ...(reason !== null && { reason }) };
    const { organization_id } = task;
    await appendEvent(transaction, { type: "task.requeued", organization_id, task_id: id, actor, data });
    const requeued = await findTask(transaction, id);
    if (!requeued) throw missing("task");
    await writeMove(transaction, task, requeued);
    return { requeued, ended };
  });
  if (ended.length > 0) engine.signals.ended(ended);
  const { organization_id, agent_type } = requeued;
  if (agent_type) engine.signals.queued([{ organization_id, agent_type_id: agent_type.id }]);
  return requeued;
};
