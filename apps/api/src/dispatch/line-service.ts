// Claims once for a line of waiters, and gives each what that brought.
import { DatabaseSilent, type Sql, within } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import type { Logger } from "../platform/logger.ts";
import { type ClaimOutcome, claimTasks } from "./claim-queries.ts";
import type { LowMarks } from "./low-marks.ts";
import { scopesOf } from "./queue-head.ts";
import { type HandedOver, type Line, nextRound, type OfferEnd, type Round, type Waiter } from "./waiting-line.ts";

export interface LineServiceDeps {
  sql: Sql;
  lowMarks: LowMarks;
  log: Logger;
  hit: Hit;
  /** Returns what was handed over to nobody. */
  takeBack: (dispatchIds: readonly string[]) => Promise<void>;
  /** Takes a waiter out of its line and answers it. */
  settle: (line: Line, waiter: Waiter, end: OfferEnd) => void;
  /** Takes a waiter out of its line. */
  remove: (line: Line, waiter: Waiter) => void;
}

/** Claims once for the line. Resolves to the milliseconds until the next claim; undefined when nobody needs one. */
export type ServeLine = (line: Line) => Promise<number | undefined>;

/** Long enough for most statements that held a place, or the row of an executor, to be over. */
const heldRetryMs = 10;
/** Between failed claims of a line: the database is away, and each would answer one more waiter with that. */
const failedRetryMs = 1000;
const maxAttempts = 3;
/** A statement ends itself after 5 s. */
const claimTimeoutMs = 7000;
// A claim key bound at the same moment elsewhere, a deadlock, a lock held for long: nothing was claimed, and it goes well the next time.
const isWorthRepeating = (error: unknown): boolean => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string };
  return constraint_name === "dispatches_claim_key" || ["40P01", "40001", "55P03"].includes(code ?? "");
};

export const createLineService = (deps: LineServiceDeps): ServeLine => {
  const { sql, lowMarks, log, hit, takeBack, settle, remove } = deps;

  const end = (line: Line, waiter: Waiter): void => settle(line, waiter, { kind: "empty" });

  const takeBackAll = ({ claimed }: ClaimOutcome): Promise<void> =>
    takeBack(claimed.map(({ dispatch_id }) => dispatch_id));

  const claim = async (line: Line, round: Round): Promise<ClaimOutcome> => {
    const scopes = scopesOf(line.filter);
    for (let attempt = 1; ; attempt++) {
      try {
        const [{ kind }] = scopes as [(typeof scopes)[number]];
        await hit("claim-begun");
        const spans = lowMarks.spansOf(scopes);
        const claiming = claimTasks(sql, { ...round, kind, spans });
        const outcome = await within(claimTimeoutMs, claiming).catch((error: unknown) => {
          // Nobody waits for what it may still bring.
          if (error instanceof DatabaseSilent) claiming.then(takeBackAll, () => {});
          throw error;
        });
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

  return async (line) => {
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
    const pauseMs = !outcome ? failedRetryMs : outcome.isContended || outcome.passedOver.length > 0 ? heldRetryMs : 0;

    const { isShort = false, isContended = false, claimed = [], passedOver = [] } = outcome ?? {};
    const isOver = isShort && !isContended;
    for (const waiter of fresh) {
      if (!line.waiters.has(waiter)) continue;
      const { signal, claimKey } = waiter.offer;
      // A twin elsewhere may be claiming with the key what is held now.
      const isUndecided = passedOver.includes(signal?.id ?? "") || (isContended && claimKey !== undefined);
      const isLookedFor = isShort && !isUndecided;
      if (isLookedFor && waiter.offer.waitMs === 0) end(line, waiter);
      else if (!isOver || !isLookedFor) line.fresh.add(waiter);
    }
    if (!isOver) line.expected += Math.max(expected - claimed.length, 0);
    return pauseMs;
  };
};
