// Hands queued tasks to the executors that wait in this process: one claim at a time for all that want the same filter.
//
// No wake-up is lost: a waiter stands in its line before the claim that finds nothing for it begins; a task queued in
// this process wakes it at once, one queued elsewhere by a notification or, should all of these be lost, by `look`.
import type { Place } from "../tasks/queue-signals.ts";
import { findBound } from "./claim-keys.ts";
import { createLineService, type LineServiceDeps } from "./line-service.ts";
import { countWaiting, type QueueFilter, scopesOf } from "./queue-head.ts";
import { createLine, type Line, maxClaimSlots, type Offer, type OfferEnd, type Waiter } from "./waiting-line.ts";

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

type DispatcherDeps = Omit<LineServiceDeps, "settle" | "remove">;

const nameOf = ({ organizationId = "", agentTypeIds = [] }: QueueFilter): string =>
  [organizationId, ...agentTypeIds].join(" ");

const suits = ({ organizationId, agentTypeIds }: QueueFilter, place: Place): boolean =>
  (organizationId ?? place.organization_id) === place.organization_id &&
  (agentTypeIds === undefined || agentTypeIds.includes(place.agent_type_id));

export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { sql, lowMarks } = deps;
  const lines = new Map<string, Line>();
  let isClosed = false;

  const lineOf = (filter: QueueFilter): Line => {
    const name = nameOf(filter);
    const line = lines.get(name) ?? createLine(filter);
    lines.set(name, line);
    return line;
  };

  const forget = (line: Line): void => {
    const name = nameOf(line.filter);
    if (lines.get(name) === line) lines.delete(name);
  };

  const remove = (line: Line, waiter: Waiter): void => {
    line.waiters.delete(waiter);
    line.fresh.delete(waiter);
    // While it is to run it stays: whoever comes meanwhile stands in it, not in another of the same name.
    if (line.waiters.size === 0 && !line.isClaiming && !line.isScheduled) forget(line);
  };

  const settle = (line: Line, waiter: Waiter, end: OfferEnd): void => {
    remove(line, waiter);
    waiter.settle(end);
  };

  const end = (line: Line, waiter: Waiter): void => settle(line, waiter, { kind: "empty" });

  const serve = createLineService({ ...deps, settle, remove });

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
      if (line.waiters.size === 0) forget(line);
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
