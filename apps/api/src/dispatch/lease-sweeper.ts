// Ends dispatches whose lease is over (D-24). Every replica may sweep; each end is guarded, so none happens twice.
import { serviceActor } from "../events/event-queries.ts";
import type { Sql } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import type { QueueSignals } from "../tasks/queue-signals.ts";
import { endDispatches, listExpired, tellEnded } from "./dispatch-ends.ts";

const batch = 500;

export interface SweeperDeps {
  sql: Sql;
  signals: QueueSignals;
  maxLostDispatches: number;
  hit: Hit;
}

/** Ends all leases that are over now and returns how many it ended. */
export const sweepLeases = async (deps: SweeperDeps): Promise<number> => {
  const { sql, signals, maxLostDispatches, hit } = deps;
  const expired = await listExpired(sql, batch);
  if (expired.length === 0) return 0;
  const ended = await endDispatches(sql, expired, {
    outcome: "expired",
    reason: "The lease ran out: nothing was heard of the worker in time.",
    actor: serviceActor,
    maxLostDispatches,
  });
  await hit("sweep-committed");
  tellEnded(signals, ended);
  return ended.length + (expired.length === batch ? await sweepLeases(deps) : 0);
};
