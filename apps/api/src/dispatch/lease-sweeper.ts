// Ends dispatches whose lease is over (D-24). Every replica may sweep; each end is guarded, so none happens twice.
import { serviceActor } from "../events/event-queries.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { endDispatches, listExpired } from "./dispatch-ends.ts";

const batch = 500;
const everyMs = 1000;

/** Ends all leases that are over now and returns how many it ended. */
export const sweepLeases = async (sql: Sql, maxLostDispatches: number): Promise<number> => {
  const expired = await listExpired(sql, batch);
  if (expired.length === 0) return 0;
  const ended = await endDispatches(sql, expired, {
    outcome: "expired",
    reason: "The lease ran out: nothing was heard of the worker in time.",
    actor: serviceActor,
    maxLostDispatches,
  });
  return ended.length + (expired.length === batch ? await sweepLeases(sql, maxLostDispatches) : 0);
};

/** Sweeps every second until the returned function is called; a failed sweep is logged and the next one tried. */
export const startLeaseSweeper = (sql: Sql, maxLostDispatches: number, log: Logger): (() => void) => {
  let isSweeping = false;
  const timer = setInterval(async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      const ended = await sweepLeases(sql, maxLostDispatches);
      if (ended > 0) log.info({ ended }, "leases expired");
    } catch (error) {
      log.warn({ err: error }, "leases could not be swept");
    } finally {
      isSweeping = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
};
