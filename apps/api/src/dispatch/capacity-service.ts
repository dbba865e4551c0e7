// Capacity signals (D-19, D-23): what ended and what runs is settled first, then the free slots stand in line.
import type { Actor, CapacityAnswer, CapacitySignal } from "@task-service/contract";
import type { WhenUnanswered } from "../platform/caller-presence.ts";
import { transact } from "../platform/database.ts";
import { createId } from "../platform/identifiers.ts";
import { RequestProblem } from "../platform/problems.ts";
import { findLost, findOwn, type NewSignal, registerSignal } from "./capacity-queries.ts";
import { type EndedDispatch, endDispatches, tellEnded } from "./dispatch-ends.ts";
import { renewDispatches } from "./dispatch-queries.ts";
import type { ResolveFilter } from "./filter-resolution.ts";
import { type HandedOut, type HandOverDeps, handOver, replayOf } from "./hand-over.ts";
import type { QueueFilter } from "./queue-head.ts";

export interface CapacityDeps extends HandOverDeps {
  resolveFilter: ResolveFilter;
}

const lowerCase = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

const staleSignal = (): RequestProblem =>
  new RequestProblem("stale_signal", "A signal of this executor with this sequence or a higher one was seen already.");

/** Ends what is finished and what was lost on the way, renews what is held. Returns what the executor no longer holds. */
const settle = async (
  { sql, engine, maxLostDispatches, hit }: CapacityDeps,
  signal: NewSignal,
  { finished = [], holding, claim_key }: CapacitySignal,
): Promise<string[]> => {
  const done = lowerCase(finished);
  const held = lowerCase(holding ?? []).filter((id) => !done.includes(id));
  if (done.length === 0 && holding === undefined) {
    if (!(await registerSignal(sql, signal))) throw staleSignal();
    return [];
  }
  const { revoked, ended } = await transact(sql, async (transaction) => {
    if (!(await registerSignal(transaction, signal))) throw staleSignal();
    const own = await findOwn(transaction, signal, [...done, ...held]);
    const isOwn = new Set(own.map(({ id }) => id));
    const end = (ids: readonly string[], outcome: "finished" | "lost", reason: string | null) =>
      endDispatches(transaction, ids, { outcome, reason, actor: signal.actor, maxLostDispatches });
    const finishedNow = await end(
      done.filter((id) => isOwn.has(id)),
      "finished",
      null,
    );
    const finishedOnce = new Set([
      ...finishedNow.map(({ id }) => id),
      ...own.filter(({ outcome }) => outcome === "finished").map(({ id }) => id),
    ]);
    const live = new Set(
      await renewDispatches(
        transaction,
        held.filter((id) => isOwn.has(id)),
      ),
    );
    const lost: EndedDispatch[] =
      holding === undefined
        ? []
        : await end(
            await findLost(transaction, signal, [...done, ...held], claim_key),
            "lost",
            "The executor does not hold it: it was lost on the way.",
          );
    return {
      revoked: [...done.filter((id) => !finishedOnce.has(id)), ...held.filter((id) => !live.has(id))],
      ended: [...finishedNow, ...lost],
    };
  });
  await hit("signal-committed");
  tellEnded(engine.signals, ended);
  return revoked;
};

/** The filters of a repeated claim key do not count: they may even be gone. */
const filterOrReplay = async (
  deps: CapacityDeps,
  { organization, agent_types, executor, claim_key }: CapacitySignal,
  actor: Actor,
): Promise<QueueFilter> => {
  try {
    const pointers = { organization: "/organization", agentTypes: "/agent_types" };
    return await deps.resolveFilter({ organization, agentTypes: agent_types, pointers });
  } catch (error) {
    const isReplay = await replayOf(deps, { actor, executor, claimKey: claim_key });
    if (isReplay) return { organizationId: undefined, agentTypeIds: undefined };
    throw error;
  }
};

/** Throws `unknown_filter`, `stale_signal` or `claim_key_spent`. */
export const signalCapacity = async (
  deps: CapacityDeps,
  body: CapacitySignal,
  actor: Actor,
  whenUnanswered: WhenUnanswered,
): Promise<CapacityAnswer> => {
  const { executor, slots, wait_seconds = 0, lease_seconds, claim_key: claimKey, sequence } = body;
  const filter = await filterOrReplay(deps, body, actor);
  const signal: NewSignal = { id: createId(), actor, executor, sequence, slots, filter };
  const { engine } = deps;
  const revokedAtOnce = await settle(deps, signal, body);

  let withdraw = (): void => {};
  const holding = lowerCase(body.holding ?? []);
  const standing = engine.waitingSignals.add({ ...signal, sub: actor.sub, holding, withdraw: () => withdraw() });
  try {
    const answer: HandedOut =
      slots === 0
        ? ((await replayOf(deps, { actor, executor, claimKey })) ?? { dispatches: [], revoked: [] })
        : await handOver(
            deps,
            {
              filter,
              executor,
              actor,
              slots,
              leaseSeconds: lease_seconds,
              claimKey,
              signal: { id: signal.id, sequence },
              // What was revoked is told at once.
              waitMs: revokedAtOnce.length > 0 ? 0 : wait_seconds * 1000,
            },
            whenUnanswered,
            (end) => {
              withdraw = end;
            },
          );
    return {
      dispatches: answer.dispatches,
      revoked: [...new Set([...revokedAtOnce, ...standing.revoked, ...answer.revoked])],
    };
  } finally {
    standing.remove();
  }
};
