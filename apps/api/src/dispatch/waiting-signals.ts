// The capacity signals that wait in this process: whom a newer one follows, and what of the work they hold is over (D-19).
import type { Sql } from "../platform/database.ts";
import { renewDispatches } from "./dispatch-queries.ts";

export interface WaitingSignal {
  id: string;
  sub: string;
  executor: string;
  /** The dispatches its executor said it runs. */
  holding: readonly string[];
  /** Ends its offer, whatever was found for it so far. */
  withdraw: () => void;
}

export interface WaitingSignals {
  /** Has an older waiting signal of the executor end empty. `revoked` holds what of its work has ended since. */
  add(signal: WaitingSignal): { revoked: ReadonlySet<string>; remove(): void };
  /** Tells that dispatches are over: who holds one of them is answered at once. */
  ended(dispatchIds: readonly string[]): void;
  /** Looks in the database for what other replicas did, and renews the leases of what is held. */
  look(): Promise<void>;
}

interface Entry extends WaitingSignal {
  held: Set<string>;
  revoked: Set<string>;
}

/** Of these dispatches, those that are not live. Those that are have their lease renewed once a third of it is over. */
const renewHeld = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  await renewDispatches(sql, ids, { isDueOnly: true });
  const over = await sql<{ id: string }[]>`
    select held.id from unnest(${ids}::uuid[]) as held (id)
    where not exists (select from dispatches d where d.id = held.id and d.ended_at is null)
  `;
  return over.map(({ id }) => id);
};

const findSuperseded = async (sql: Sql, signals: readonly WaitingSignal[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select waiting.id from unnest(
      ${signals.map(({ id }) => id)}::uuid[], ${signals.map(({ sub }) => sub)}::text[],
      ${signals.map(({ executor }) => executor)}::text[]
    ) as waiting (id, sub, executor)
    join executors e on e.sub = waiting.sub and e.executor = waiting.executor where e.signal_id <> waiting.id
  `;
  return rows.map(({ id }) => id);
};

export const createWaitingSignals = (sql: Sql): WaitingSignals => {
  const byExecutor = new Map<string, Set<Entry>>();
  const entries = (): Entry[] => [...byExecutor.values()].flatMap((ofExecutor) => [...ofExecutor]);

  const ended = (dispatchIds: readonly string[]): void => {
    for (const entry of entries()) {
      const over = dispatchIds.filter((id) => entry.held.has(id));
      for (const id of over) entry.revoked.add(id);
      if (over.length > 0) entry.withdraw();
    }
  };

  /** Which of them is the newest was settled in the database: they may arrive here in another order. */
  const endSuperseded = async (waiting: readonly Entry[]): Promise<Entry[]> => {
    const superseded = new Set(await findSuperseded(sql, waiting));
    for (const { id, withdraw } of waiting) if (superseded.has(id)) withdraw();
    return waiting.filter(({ id }) => !superseded.has(id));
  };

  return {
    add: (signal) => {
      const name = JSON.stringify([signal.sub, signal.executor]);
      const ofExecutor = byExecutor.get(name) ?? new Set();
      const entry: Entry = { ...signal, held: new Set(signal.holding), revoked: new Set() };
      byExecutor.set(name, ofExecutor.add(entry));
      // Should this fail, the next look sees it.
      if (ofExecutor.size > 1) endSuperseded([...ofExecutor]).catch(() => {});
      return {
        revoked: entry.revoked,
        remove: () => {
          ofExecutor.delete(entry);
          if (ofExecutor.size === 0 && byExecutor.get(name) === ofExecutor) byExecutor.delete(name);
        },
      };
    },

    ended,

    look: async () => {
      const waiting = entries();
      if (waiting.length === 0) return;
      const held = (await endSuperseded(waiting)).flatMap(({ holding }) => holding);
      if (held.length > 0) ended(await renewHeld(sql, held));
    },
  };
};
