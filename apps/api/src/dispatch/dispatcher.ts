// Hands queued tasks to the executors that wait in this process: one claim at a time for all that want the same filter.
//
// No wake-up is lost: a waiter stands in its line before the claim that finds nothing for it begins; a task queued in
// this process wakes it at once, one queued elsewhere by a notification or, should all of these be lost, by `look`.
import { type Sql, within } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import type { Logger } from "../platform/logger.ts";
import type { Place } from "../tasks/queue-signals.ts";
import { findBound } from "./claim-keys.ts";
import { type ClaimOutcome, claimTasks } from "./claim-queries.ts";
import type { LowMarks } from "./low-marks.ts";
import { countWaiting, type QueueFilter, scopesOf } from "./queue-head.ts";
import {
  createLine,
  type HandedOver,
  type Line,
  maxClaimSlots,
  nextRound,
  type Offer,
  type OfferEnd,
  type Round,
  type Waiter,
} from "./waiting-line.ts";

/** An offer that stands in its line. */
export interface Standing {
  /** Rejects when the database failed; what was claimed then is unknown. */
  end: Promise<OfferEnd>;
  /** Ends it empty, unless a claim for it is under way: then with what that brings. */
  withdraw(): void;
}

export interface Dispatcher {
  offer(offer: Offer): Standing;
  /** Wakes whom these new places suit. */
  queued(places: readonly Place[]): void;
  /** Looks for all lines at once and wakes whom something is there for, also what a claim key was bound to elsewhere. */
  look(): Promise<void>;
  /** Who waits now. */
  waiting(): IterableIterator<Offer>;
  /** Ends all offers empty, and every later one at once. */
  close(): void;
}

interface DispatcherDeps {
  sql: Sql;
  lowMarks: LowMarks;
  log: Logger;
  hit: Hit;
}

/** Long enough for most statements that held a place, or the row of an executor, to be over. */
const heldRetryMs = 10;
const maxAttempts = 3;
/** A statement ends itself after 5 s. */
const claimTimeoutMs = 7000;
// A claim key bound at the same moment elsewhere, a deadlock: nothing was claimed, and it goes well the next time.
const isWorthRepeating = (error: unknown): boolean => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string };
  return constraint_name === "dispatches_claim_key" || code === "40P01" || code === "40001";
};

const nameOf = ({ organizationId = "", agentTypeIds = [] }: QueueFilter): string =>
  [organizationId, ...agentTypeIds].join(" ");

const suits = ({ organizationId, agentTypeIds }: QueueFilter, place: Place): boolean =>
  (organizationId ?? place.organization_id) === place.organization_id &&
  (agentTypeIds === undefined || agentTypeIds.includes(place.agent_type_id));

export const createDispatcher = ({ sql, lowMarks, log, hit }: DispatcherDeps): Dispatcher => {
  const lines = new Map<string, Line>();
  let isClosed = false;

  const lineOf = (filter: QueueFilter): Line => {
    const name = nameOf(filter);
    const line = lines.get(name) ?? createLine(filter);
    lines.set(name, line);
    return line;
  };

  const remove = (line: Line, waiter: Waiter): void => {
    line.waiters.delete(waiter);
    line.fresh.delete(waiter);
    // While it is to run it stays: whoever comes meanwhile stands in it, not in another of the same name.
    if (line.waiters.size === 0 && !line.isClaiming && !line.isScheduled) lines.delete(nameOf(line.filter));
  };

  const settle = (line: Line, waiter: Waiter, end: OfferEnd): void => {
    remove(line, waiter);
    waiter.settle(end);
  };

  const end = (line: Line, waiter: Waiter): void => settle(line, waiter, { kind: "empty" });

  const claim = async (line: Line, round: Round): Promise<ClaimOutcome> => {
    const scopes = scopesOf(line.filter);
    for (let attempt = 1; ; attempt++) {
      try {
        const [{ kind }] = scopes as [(typeof scopes)[number]];
        await hit("claim-begun");
        const spans = lowMarks.spansOf(scopes);
        const outcome = await within(claimTimeoutMs, claimTasks(sql, { ...round, kind, spans }));
        lowMarks.taken(scopes, new Set(outcome.claimed.map(({ priority }) => priority)));
        return outcome;
      } catch (error) {
        if (attempt === maxAttempts || !isWorthRepeating(error)) throw error;
      }
    }
  };

  /** Gives each waiter of the round what the claim brought for it; those for whom it brought nothing stay. */
  const handOut = (line: Line, round: Round, { claimed, bound, superseded }: ClaimOutcome): void => {
    const slotById = new Map(round.slots.map((slot) => [slot.dispatch_id, slot]));
    const handed = Map.groupBy(
      claimed.flatMap((task): HandedOver[] => {
        const slot = slotById.get(task.dispatch_id);
        return slot ? [{ slot, task }] : [];
      }),
      ({ slot }) => slot.waiter,
    );
    round.waiters.forEach((waiter, number) => {
      waiter.isInClaim = false;
      const share = handed.get(number);
      if (share) settle(line, waiter, { kind: "claimed", handed: share });
      else if (bound.includes(number)) settle(line, waiter, { kind: "bound" });
      else if (waiter.isWithdrawn || superseded.includes(waiter.offer.signal?.id ?? "")) end(line, waiter);
    });
  };

  const giveUp = (line: Line, round: Round, error: unknown): void => {
    for (const waiter of round.waiters) {
      remove(line, waiter);
      waiter.fail(error);
    }
  };

  /** Claims once for the line. Returns after how many milliseconds to claim again; undefined when nobody needs it. */
  const serve = async (line: Line): Promise<number | undefined> => {
    const round = nextRound(line);
    if (!round) return undefined;
    const { fresh, expected } = line;
    Object.assign(line, { fresh: new Set(), expected: 0 });
    for (const waiter of round.waiters) waiter.isInClaim = true;
    const outcome = await claim(line, round).catch((error: unknown) => {
      giveUp(line, round, error);
      log.warn({ err: error }, "a claim failed");
    });
    if (outcome) handOut(line, round, outcome);

    const { isShort = false, isContended = false, claimed = [], passedOver = [] } = outcome ?? {};
    const isOver = isShort && !isContended;
    for (const waiter of fresh) {
      if (!line.waiters.has(waiter)) continue;
      const isLookedFor = isShort && !passedOver.includes(waiter.offer.signal?.id ?? "");
      if (isLookedFor && waiter.offer.waitMs === 0) end(line, waiter);
      else if (!isOver || !isLookedFor) line.fresh.add(waiter);
    }
    if (!isOver) line.expected += Math.max(expected - claimed.length, 0);
    return isContended || passedOver.length > 0 ? heldRetryMs : 0;
  };

  const run = async (line: Line): Promise<void> => {
    line.isScheduled = false;
    if (line.isClaiming) return;
    line.isClaiming = true;
    try {
      for (;;) {
        const pauseMs = await serve(line);
        if (pauseMs === undefined) break;
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      line.isClaiming = false;
      if (line.waiters.size === 0) lines.delete(nameOf(line.filter));
    }
  };

  // Requests that arrive together are claimed for together.
  const schedule = (line: Line): void => {
    if (line.isScheduled || line.isClaiming) return;
    line.isScheduled = true;
    setImmediate(run, line);
  };

  // At once: the claim is on its way to the database before the answer to whoever queued the task is written.
  const expect = (line: Line, tasks: number): void => {
    line.expected = Math.min(line.expected + tasks, maxClaimSlots);
    void run(line);
  };

  /** Ends those whose claim key a twin on another replica has bound. */
  const tellBound = async (waiting: readonly Line[]): Promise<void> => {
    const keyed = waiting.flatMap((line) =>
      [...line.waiters].flatMap((waiter) => {
        const { claimKey, actor, executor } = waiter.offer;
        return claimKey === undefined ? [] : [{ line, waiter, key: { sub: actor.sub, executor, claim_key: claimKey } }];
      }),
    );
    if (keyed.length === 0) return;
    const bound = new Set(
      await findBound(
        sql,
        keyed.map(({ key }, waiter) => ({ ...key, waiter })),
      ),
    );
    keyed.forEach(({ line, waiter }, number) => {
      // A claim that is under way tells it by itself.
      if (bound.has(number) && line.waiters.has(waiter) && !waiter.isInClaim) settle(line, waiter, { kind: "bound" });
    });
  };

  return {
    offer: (offer) => {
      const { promise, resolve, reject } = Promise.withResolvers<OfferEnd>();
      const line = lineOf(offer.filter);
      const waiter: Waiter = {
        offer,
        settle: (outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
        isWithdrawn: false,
        isInClaim: false,
      };
      const withdraw = (): void => {
        if (waiter.isInClaim) waiter.isWithdrawn = true;
        else if (line.waiters.has(waiter)) end(line, waiter);
      };
      const timer = offer.waitMs > 0 ? setTimeout(withdraw, offer.waitMs) : undefined;
      if (isClosed) waiter.settle({ kind: "empty" });
      else {
        line.waiters.add(waiter);
        line.fresh.add(waiter);
        schedule(line);
      }
      return { end: promise, withdraw };
    },

    queued: (places) => {
      for (const line of lines.values()) {
        const suitable = places.filter((place) => suits(line.filter, place)).length;
        if (suitable > 0) expect(line, suitable);
      }
    },

    look: async () => {
      const waiting = [...lines.values()];
      if (waiting.length === 0) return;
      await tellBound(waiting);
      const counts = await countWaiting(
        sql,
        waiting.map(({ filter }) => {
          const scopes = scopesOf(filter);
          return { kind: scopes[0]?.kind ?? "everything", spans: lowMarks.spansOf(scopes) };
        }),
      );
      waiting.forEach((line, number) => {
        const count = counts[number] ?? 0;
        if (count > 0) expect(line, count);
      });
    },

    waiting: function* () {
      for (const line of lines.values()) for (const { offer } of line.waiters) yield offer;
    },

    close: () => {
      isClosed = true;
      for (const line of lines.values()) {
        for (const waiter of line.waiters) {
          if (waiter.isInClaim) waiter.isWithdrawn = true;
          else end(line, waiter);
        }
      }
    },
  };
};
