// From an offer to what is answered: hand-overs, the replay of a claim key, and the taking back of what nobody received (D-22, D-26).
import type { Actor, Handoff } from "@task-service/contract";
import type { WhenUnanswered } from "../platform/caller-presence.ts";
import type { Sql } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import type { Logger } from "../platform/logger.ts";
import { replayClaim } from "./claim-keys.ts";
import { endDispatches, tellEnded } from "./dispatch-ends.ts";
import type { DispatchEngine } from "./dispatch-engine.ts";
import type { NamedFilter, ResolveFilter } from "./filter-resolution.ts";
import type { CompleteHandoffs } from "./handoffs.ts";
import type { QueueFilter } from "./queue-head.ts";
import type { Offer } from "./waiting-line.ts";

export interface HandOverDeps {
  sql: Sql;
  gitUrl: string;
  maxLostDispatches: number;
  engine: DispatchEngine;
  resolveFilter: ResolveFilter;
  completeHandoffs: CompleteHandoffs;
  log: Logger;
  hit: Hit;
}

export interface HandedOut {
  dispatches: Handoff[];
  /** Of a repeated claim key's dispatches, those that are over. */
  revoked: string[];
}

const nothing: HandedOut = { dispatches: [], revoked: [] };

/** The task returns to its place, unless its dispatch was heard of meanwhile: then somebody did receive it. */
const takeBack = async (deps: HandOverDeps, ids: readonly string[], actor: Actor): Promise<void> => {
  const { sql, engine, maxLostDispatches, log } = deps;
  try {
    const reason = "The caller was gone before its answer was written.";
    const ended = await endDispatches(sql, ids, { outcome: "disconnected", reason, actor, maxLostDispatches });
    log.info({ dispatches: ended.map(({ id }) => id) }, "taken back from callers that were gone");
    tellEnded(engine.signals, ended);
  } catch (error) {
    log.warn({ err: error, dispatches: ids }, "could not be taken back; claim key, held set or lease will heal it");
  }
};

/** The replay of the offer's claim key, if it has one that is bound. Throws `claim_key_spent`. */
export const replayOf = async (
  { sql, gitUrl }: HandOverDeps,
  { claimKey, executor, actor }: Pick<Offer, "claimKey" | "executor" | "actor">,
): Promise<HandedOut | undefined> =>
  claimKey === undefined ? undefined : replayClaim(sql, gitUrl, { sub: actor.sub, executor, claimKey });

/** The filter by its names. That of a repeated claim key does not count: it may even be gone. Throws `unknown_filter`. */
export const resolveUnlessRepeated = async (
  deps: HandOverDeps,
  named: NamedFilter,
  claim: Pick<Offer, "claimKey" | "executor" | "actor">,
): Promise<QueueFilter> => {
  try {
    return await deps.resolveFilter(named);
  } catch (error) {
    if (await replayOf(deps, claim)) return { organizationId: undefined, agentTypeIds: undefined };
    throw error;
  }
};

/** A request whose twin holds its key for longer than it would wait itself: time for a claim that is under way. */
const minTwinWaitMs = 2000;

/** Waits until the other request of this process that claims with the key is over. False if this one's time or caller is gone first. */
const untilTwinIsOver = async (twin: Promise<unknown>, waitMs: number, gone: Promise<void>): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(waitMs, minTwinWaitMs));
  const [over, notOver] = [() => true, () => false];
  const isOver = await Promise.race([twin.then(over, over), Promise.race([late, gone]).then(notOver)]);
  clearTimeout(timer);
  return isOver;
};

/**
 * Stands in line with the offer until something is handed over or its time is over. `onStanding` is given the way to
 * end that early. Of several requests with one claim key one claims, and the others are answered what that bound.
 * Throws `claim_key_spent`.
 */
export const handOver = async (
  deps: HandOverDeps,
  offer: Offer,
  whenUnanswered: WhenUnanswered,
  onStanding: (withdraw: () => void) => void = () => {},
): Promise<HandedOut> => {
  const { engine, completeHandoffs, hit } = deps;
  const untilMs = performance.now() + offer.waitMs;
  let isGone = false;
  let onGone = (): void => {};
  whenUnanswered(() => {
    isGone = true;
    onGone();
  });
  while (!isGone) {
    const waitMs = Math.max(untilMs - performance.now(), 0);
    const twin = engine.claimUnderWay(offer);
    let isOver = false;
    if (twin) {
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      onGone = resolve;
      isOver = !(await untilTwinIsOver(twin, waitMs, gone));
    } else {
      const standing = engine.offer(offer.waitMs === waitMs ? offer : { ...offer, waitMs });
      onGone = standing.withdraw;
      onStanding(standing.withdraw);
      const end = await standing.end;
      isOver = end.kind === "empty";
      if (end.kind === "claimed") {
        const ids = end.handed.map(({ slot }) => slot.dispatch_id);
        await hit("claim-committed");
        onGone = () => void takeBack(deps, ids, offer.actor);
        if (isGone) onGone();
        return { dispatches: await completeHandoffs(end.handed), revoked: [] };
      }
    }
    // A replay counts as a sign of life, so there is none for a caller that is gone.
    if (isGone) break;
    // What waited in vain may have been overtaken by a twin on another replica.
    const replay = isOver && offer.waitMs === 0 ? undefined : await replayOf(deps, offer);
    if (replay) return replay;
    if (isOver) break;
  }
  return nothing;
};
