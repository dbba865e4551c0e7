// From an offer to what is answered: hand-overs, the replay of a claim key, and the taking back of what nobody received (D-22, D-26).
import type { Handoff } from "@task-service/contract";
import type { WhenUnanswered } from "../platform/caller-presence.ts";
import type { Sql } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import { replayClaim } from "./claim-keys.ts";
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
  hit: Hit;
}

export interface HandedOut {
  dispatches: Handoff[];
  /** Of a repeated claim key's dispatches, those that are over. */
  revoked: string[];
}

const nothing: HandedOut = { dispatches: [], revoked: [] };

/** The replay of the offer's claim key, if it has one that is bound. Throws `claim_key_spent`. */
export const replayOf = async (
  { sql, gitUrl }: HandOverDeps,
  { claimKey, executor, actor }: Pick<Offer, "claimKey" | "executor" | "actor">,
): Promise<HandedOut | undefined> =>
  claimKey === undefined ? undefined : replayClaim(sql, gitUrl, { sub: actor.sub, executor, claimKey });

export interface ResolvedOffer {
  filter: QueueFilter;
  /** The answer to a repeated claim key whose filter is gone: it claims nothing. */
  replay?: HandedOut;
}

/** The filter by its names. That of a repeated claim key does not count: it may even be gone. Throws `unknown_filter`. */
export const resolveUnlessRepeated = async (
  deps: HandOverDeps,
  named: NamedFilter,
  claim: Pick<Offer, "claimKey" | "executor" | "actor">,
): Promise<ResolvedOffer> => {
  try {
    return { filter: await deps.resolveFilter(named) };
  } catch (error) {
    const replay = await replayOf(deps, claim);
    if (replay) return { filter: { organizationId: undefined, agentTypeIds: undefined }, replay };
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
        onGone = () => void engine.takeBack(ids);
        if (isGone) onGone();
        try {
          return { dispatches: await completeHandoffs(end.handed), revoked: [] };
        } catch (error) {
          await engine.takeBack(ids);
          throw error;
        }
      }
    }
    // A replay counts as a sign of life, so there is none for a caller that is gone.
    if (isGone) break;
    // What found nothing may have been overtaken by a twin on another replica.
    const replay = await replayOf(deps, offer);
    if (replay) return replay;
    if (isOver) break;
  }
  return nothing;
};
