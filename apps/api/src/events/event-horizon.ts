// Up to which id the history is final: every event that will ever have such an id can be seen.
import { setTimeout as delay } from "node:timers/promises";
import { type Sql, within } from "../platform/database.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import { beforeFirst, shownId } from "./history-queries.ts";

export interface EventHorizon {
  /** Looks how far it reaches now. */
  look(): Promise<{ upTo: string; isBehind: boolean }>;
  /** How far it reaches once all that was committed before the call lies within, or after a second at most. */
  reach(): Promise<string>;
}

const silenceMs = 6000;
const reachMs = 1000;
const pauseMs = 5;

/**
 * Ids are drawn in order but committed in any. A drawn id belongs to a transaction that had its number (the default of
 * `events.id` sees to that), so a number taken *after* reading the last id drawn is higher than all of theirs. Once no
 * transaction below that number runs, what they wrote is there or never will be.
 */
export const createEventHorizon = (sql: Sql): EventHorizon => {
  let upTo = beforeFirst;
  let drawn = beforeFirst;
  let candidate: { upTo: string; bound: string } | undefined;

  const settle = async (): Promise<void> => {
    const asked = candidate;
    if (!asked) return;
    const [row] = await sql<{ is_final: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${asked.bound}::xid8 as is_final
    `;
    // An answer that comes after its time finds another candidate.
    if (!row?.is_final || candidate !== asked) return;
    upTo = asked.upTo;
    candidate = undefined;
  };

  const advance = async (): Promise<void> => {
    await settle();
    const [last] = await sql<{ id: string }[]>`
      select ${shownId(sql, sql`last_value - (not is_called)::int`)} as id from event_ids
    `;
    drawn = last?.id ?? drawn;
    if (candidate || drawn === upTo) return;
    const [taken] = await sql<{ bound: string }[]>`select pg_current_xact_id()::text as bound`;
    if (taken) candidate = { upTo: drawn, bound: taken.bound };
    await settle();
  };

  const lookOnce = createSingleFlight(() => within(silenceMs, advance()));
  const look = async () => {
    await lookOnce();
    return { upTo, isBehind: drawn > upTo };
  };

  return {
    look,
    reach: async () => {
      const startMs = performance.now();
      await look();
      const goal = drawn;
      while (upTo < goal && performance.now() - startMs < reachMs) {
        await delay(pauseMs);
        await look();
      }
      return upTo;
    },
  };
};
