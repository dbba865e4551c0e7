// The waiters of one process that want the same filter, in order of arrival, and which of their slots a claim fills first.
import type { Actor } from "@task-service/contract";
import { createId } from "../platform/identifiers.ts";
import type { ClaimedTask, ClaimRequest, Slot } from "./claim-queries.ts";
import type { QueueFilter } from "./queue-head.ts";

/** What an executor offers: free slots, and how it wants them filled. */
export interface Offer {
  filter: QueueFilter;
  executor: string;
  actor: Actor;
  /** At least 1. */
  slots: number;
  leaseSeconds: number | undefined;
  claimKey: string | undefined;
  /** The capacity signal it stands for; undefined for a GET. */
  signal: { id: string; sequence: number | undefined } | undefined;
  waitMs: number;
}

export interface HandedOver {
  slot: Slot;
  task: ClaimedTask;
}

/** How an offer ended. `bound`: its claim key was bound already, so it claimed nothing. */
export type OfferEnd = { kind: "claimed"; handed: HandedOver[] } | { kind: "bound" } | { kind: "empty" };

export interface Waiter {
  readonly offer: Offer;
  readonly settle: (end: OfferEnd) => void;
  readonly fail: (error: unknown) => void;
  /** It ends with the claim under way, whatever that brings. */
  isWithdrawn: boolean;
  /** A claim is under way for it. */
  isInClaim: boolean;
}

export interface Line {
  readonly filter: QueueFilter;
  /** In order of arrival. */
  readonly waiters: Set<Waiter>;
  /** Of these, the ones for whom no claim has looked since they came. */
  fresh: Set<Waiter>;
  /** How many tasks may be there that no claim has looked for. */
  expected: number;
  isClaiming: boolean;
  isScheduled: boolean;
}

export const createLine = (filter: QueueFilter): Line => ({
  filter,
  waiters: new Set(),
  fresh: new Set(),
  expected: 0,
  isClaiming: false,
  isScheduled: false,
});

/** One statement fills at most so many slots, and looks at so many claim keys of others. */
export const maxClaimSlots = 500;
const maxClaimKeys = 1000;

/** What one claim asks for: `waiters` by the number that slots and keys know them by. */
export interface Round extends Pick<ClaimRequest, "slots" | "signals" | "keys"> {
  waiters: readonly Waiter[];
}

const slotOf = ({ executor, actor, leaseSeconds, claimKey, signal }: Offer, waiter: number, ordinal: number): Slot => ({
  dispatch_id: createId(),
  waiter,
  executor,
  actor,
  lease_seconds: leaseSeconds ?? null,
  claim_key: claimKey ?? null,
  claim_ordinal: ordinal,
  signal_id: signal?.id ?? null,
  signal_sequence: signal?.sequence ?? null,
});

/** One slot for each task that may be there, and for each slot of those who just came. */
const slotsToFill = ({ fresh, expected }: Line): number =>
  Math.min(
    maxClaimSlots,
    fresh.values().reduce((slots, { offer }) => slots + offer.slots, expected),
  );

/** One slot each per round, in order of arrival, so that a burst spreads over the executors. */
const shareOut = (line: Line, wanted: number): { waiters: Waiter[]; slots: Slot[] } => {
  const waiters = [...line.waiters.values().take(wanted)];
  const slots: Slot[] = [];
  let asking = waiters.map((waiter, number) => ({ waiter, number }));
  for (let ordinal = 0; asking.length > 0 && slots.length < wanted; ordinal++) {
    asking = asking.filter(({ waiter }) => waiter.offer.slots > ordinal);
    const round = asking.slice(0, wanted - slots.length);
    slots.push(...round.map(({ waiter, number }) => slotOf(waiter.offer, number, ordinal)));
  }
  return { waiters, slots };
};

/** What the next claim should ask for; undefined if nobody needs one. */
export const nextRound = (line: Line): Round | undefined => {
  const wanted = slotsToFill(line);
  if (wanted === 0 || line.waiters.size === 0) return undefined;
  const { waiters: served, slots } = shareOut(line, wanted);
  // Who just came wants to know of its claim key, even where others are served first.
  const known = new Set(served);
  const curious = line.fresh.values().filter((waiter) => waiter.offer.claimKey !== undefined && !known.has(waiter));
  const waiters = [...served, ...curious.take(maxClaimKeys)];
  return {
    waiters,
    slots,
    signals: waiters.flatMap(({ offer: { signal, actor, executor } }) =>
      signal ? [{ id: signal.id, sub: actor.sub, executor }] : [],
    ),
    keys: waiters.flatMap(({ offer: { claimKey, actor, executor } }, waiter) =>
      claimKey === undefined ? [] : [{ waiter, sub: actor.sub, executor, claim_key: claimKey }],
    ),
  };
};
