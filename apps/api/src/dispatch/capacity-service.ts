// Capacity signals (D-19, D-23): what ended and what runs is settled first, then the free slots stand in line.
import type { Actor, CapacityAnswer, CapacitySignal } from "@task-service/contract";
import type { WhenUnanswered } from "../platform/caller-presence.ts";
import { transact } from "../platform/database.ts";
import { createId } from "../platform/identifiers.ts";
import { RequestProblem } from "../platform/problems.ts";
import { findLost, findOwn, type NewSignal, registerSignal } from "./capacity-queries.ts";
import { endDispatches, lockTasksOf, tellEnded } from "./dispatch-ends.ts";
import { renewDispatches } from "./dispatch-queries.ts";
import { type HandedOut, type HandOverDeps, handOver, replayOf, resolveUnlessRepeated } from "./hand-over.ts";

const lowerCase = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

/** What it still runs: a dispatch named in both lists is finished. */
const heldOf = ({ finished = [], holding = [] }: CapacitySignal): string[] => [
  ...new Set(lowerCase(holding)).difference(new Set(lowerCase(finished))),
];

const staleSignal = (): RequestProblem =>
  new RequestProblem("stale_signal", "A signal of this executor with this sequence or a higher one was seen already.");

/** Ends what is finished and what was lost on the way, renews what is held. Returns what the executor no longer holds. */
const settle = async (
  { sql, engine, maxLostDispatches, hit }: HandOverDeps,
  signal: NewSignal,
  body: CapacitySignal,
): Promise<string[]> => {
  const { finished = [], holding, claim_key } = body;
  const done = lowerCase(finished);
  const held = heldOf(body);
  if (done.length === 0 && holding === undefined) {
    if (!(await registerSignal(sql, signal))) throw staleSignal();
    return [];
  }
  const { revoked, ended } = await transact(sql, async (transaction) => {
    if (!(await registerSignal(transaction, signal))) throw staleSignal();
    const own = await findOwn(transaction, signal, [...done, ...held]);
    const ownIds = new Set(own.map(({ id }) => id));
    const ofIts = (ids: readonly string[]) => ids.filter((id) => ownIds.has(id));
    const gone = holding === undefined ? [] : await findLost(transaction, signal, [...done, ...held], claim_key);
    await lockTasksOf(transaction, [...ofIts(done), ...ofIts(held), ...gone]);
    const end = (ids: readonly string[], outcome: "finished" | "lost", reason: string | null) =>
      endDispatches(transaction, ids, { outcome, reason, actor: signal.actor, maxLostDispatches });
    const finishedNow = await end(ofIts(done), "finished", null);
    const lost = await end(gone, "lost", "The executor does not hold it: it was lost on the way.");
    const finishedOnce = new Set([
      ...finishedNow.map(({ id }) => id),
      ...own.filter(({ outcome }) => outcome === "finished").map(({ id }) => id),
    ]);
    const live = new Set(await renewDispatches(transaction, ofIts(held)));
    return {
      revoked: [...done.filter((id) => !finishedOnce.has(id)), ...held.filter((id) => !live.has(id))],
      ended: [...finishedNow, ...lost],
    };
  });
  await hit("signal-committed");
  tellEnded(engine.signals, ended);
  return revoked;
};

/** Throws `unknown_filter`, `stale_signal` or `claim_key_spent`. */
export const signalCapacity = async (
  deps: HandOverDeps,
  body: CapacitySignal,
  actor: Actor,
  whenUnanswered: WhenUnanswered,
): Promise<CapacityAnswer> => {
  const { executor, slots, wait_seconds = 0, lease_seconds, claim_key: claimKey, sequence } = body;
  const pointers = { organization: "/organization", agentTypes: "/agent_types" };
  const named = { organization: body.organization, agentTypes: body.agent_types, pointers };
  const { filter, replay } = await resolveUnlessRepeated(deps, named, { executor, actor, claimKey });
  const signal: NewSignal = { id: createId(), actor, executor, sequence, slots, filter };
  const { engine } = deps;
  const revokedAtOnce = await settle(deps, signal, body);

  let withdraw = (): void => {};
  const holding = heldOf(body);
  const standing = engine.waitingSignals.add({ ...signal, sub: actor.sub, holding, withdraw: () => withdraw() });
  try {
    const answer: HandedOut =
      slots === 0 || replay
        ? (replay ?? (await replayOf(deps, { actor, executor, claimKey })) ?? { dispatches: [], revoked: [] })
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
