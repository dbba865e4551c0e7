// Whose slots a claim fills, and how many (D-19): a property of the line alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLine, type Line, maxClaimSlots, nextRound, type Offer, type Waiter } from "./waiting-line.ts";

const offerOf = (offer: Partial<Offer>): Offer => ({
  filter: { organizationId: undefined, agentTypeIds: undefined },
  executor: "e1",
  actor: { sub: "s", name: "n" },
  slots: 1,
  leaseSeconds: undefined,
  claimKey: undefined,
  signal: undefined,
  waitMs: 0,
  ...offer,
});
const lineOf = (offers: readonly Partial<Offer>[], fresh: (n: number) => boolean = () => true, expected = 0): Line => {
  const line = createLine(offerOf({}).filter);
  offers.forEach((offer, n) => {
    const waiter: Waiter = {
      offer: offerOf(offer),
      settle: () => {},
      fail: () => {},
      isWithdrawn: false,
      isInClaim: false,
    };
    line.waiters.add(waiter);
    if (fresh(n)) line.fresh.add(waiter);
  });
  line.expected = expected;
  return line;
};
/** Which waiter each slot is of, in the order they are filled. */
const sharesOf = (line: Line): number[] => {
  const round = nextRound(line);
  const all = [...line.waiters];
  return (round?.slots ?? []).map(({ waiter }) => all.indexOf(round?.waiters[waiter] as Waiter));
};

test("nobody claims without somebody new or a task to be expected", () => {
  expect(nextRound(lineOf([]))).toBeUndefined();
  expect(nextRound(lineOf([], () => true, 5))).toBeUndefined();
  expect(nextRound(lineOf([{}, {}], () => false))).toBeUndefined();
});

test("one slot each per round, in order of arrival", () => {
  expect(sharesOf(lineOf([{ slots: 3 }, { slots: 1 }, { slots: 2 }]))).toEqual([0, 1, 2, 0, 2, 0]);
  expect(sharesOf(lineOf([{ slots: 3 }, { slots: 3 }], () => false, 4))).toEqual([0, 1, 0, 1]);
});

test("who has waited is served before who just came", () => {
  expect(sharesOf(lineOf([{}, {}, {}], (n) => n === 2))).toEqual([0]);
});

test("a slot has all that its dispatch is to carry", () => {
  const signal = { id: "signal", sequence: 7 };
  const round = nextRound(lineOf([{ slots: 2, leaseSeconds: 60, claimKey: "key", signal }, { executor: "e2" }]));
  expect(round?.slots).toMatchObject([
    {
      waiter: 0,
      executor: "e1",
      lease_seconds: 60,
      claim_key: "key",
      claim_ordinal: 0,
      signal_id: "signal",
      signal_sequence: 7,
    },
    {
      waiter: 1,
      executor: "e2",
      lease_seconds: null,
      claim_key: null,
      claim_ordinal: 0,
      signal_id: null,
      signal_sequence: null,
    },
    { waiter: 0, claim_ordinal: 1 },
  ]);
  expect(round?.signals).toEqual([{ id: "signal", sub: "s", executor: "e1" }]);
  expect(round?.keys).toEqual([{ waiter: 0, sub: "s", executor: "e1", claim_key: "key" }]);
  expect(new Set(round?.slots.map(({ dispatch_id }) => dispatch_id)).size).toBe(3);
});

test("who just came with a claim key is told of it, even while others are served", () => {
  const round = nextRound(lineOf([{}, { claimKey: "key" }, { claimKey: "old" }], (n) => n === 1));
  expect(round?.slots.map(({ waiter }) => round.waiters[waiter]?.offer.claimKey)).toEqual([undefined]);
  expect(round?.keys.map(({ claim_key, waiter }) => [claim_key, round.waiters[waiter]?.offer.claimKey])).toEqual([
    ["key", "key"],
  ]);
});

const lines = fc.array(fc.record({ slots: fc.integer({ min: 1, max: 100 }), isFresh: fc.boolean() }), {
  maxLength: 700,
});

test("a round is never larger than asked for, never unfair by more than one, and never skips who came earlier", () => {
  fc.assert(
    fc.property(lines, fc.nat(maxClaimSlots), (waiters, expected) => {
      const line = lineOf(waiters, (n) => waiters[n]?.isFresh ?? false, expected);
      const shares = new Map<number, number>();
      for (const n of sharesOf(line)) shares.set(n, (shares.get(n) ?? 0) + 1);
      const total = shares.values().reduce((sum, one) => sum + one, 0);
      const asked = waiters.reduce((sum, { slots, isFresh }) => sum + (isFresh ? slots : 0), expected);
      const free = waiters.reduce((sum, { slots }) => sum + slots, 0);
      expect(total).toBe(Math.min(asked, free, maxClaimSlots));
      const largest = Math.max(0, ...shares.values());
      let isBehind = false;
      waiters.forEach(({ slots }, n) => {
        const share = shares.get(n) ?? 0;
        expect(share).toBeLessThanOrEqual(slots);
        // One less than the largest share is fair only to those behind who got the whole of the last round.
        if (share < Math.min(slots, largest)) {
          expect(share).toBe(largest - 1);
          isBehind = true;
        } else if (share === largest) expect(isBehind).toBe(false);
      });
    }),
    { numRuns: 200 },
  );
});
