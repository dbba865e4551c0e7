// Asks for synchronizations (D-31): whoever asks at once shares a run, in this process and across replicas.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createSingleFlight } from "../platform/single-flight.ts";
import type { SyncDeps } from "./sync-look.ts";
import { beginRun, isServed, requestRun } from "./sync-queries.ts";
import { runSync } from "./sync-run.ts";

export interface AgentSync {
  /**
   * Resolves to true once a run that began after this call has ended, here or on another replica, or the organization is
   * gone. To false if the service stops before, or after 10 minutes. The outcome stands in the organization's `sync`.
   */
  syncAgents(organizationId: string): Promise<boolean>;
  /** How many organizations anybody asks this process for. */
  underWay(): number;
  /** Gives up the runs under way, which write nothing, and gives back what they hold. */
  close(): Promise<void>;
}

export interface AgentSyncOptions {
  /** A dead run's hold ends this long after its last sign of life (D-31); 60 s unless set otherwise. */
  holdMs?: number;
  /** Nobody waits longer for a run; 10 minutes unless set otherwise. */
  giveUpAfterMs?: number;
}

const firstLookAgainMs = 200;
const slowestLookAgainMs = 2000;

/** What this process does for one organization, while anybody asks for it. */
interface Flight {
  callers: number;
  /** Of the last draw; undefined if the organization is gone. */
  ticket: number | undefined;
  /** Draws a ticket that is newer than the call. */
  draw: () => Promise<void>;
  /** Sees to it that the ticket is served, and tells whether it was: one that looks, however many wait. */
  serve: () => Promise<boolean>;
}

export const createAgentSync = (
  deps: SyncDeps,
  { holdMs = 60_000, giveUpAfterMs = 10 * 60_000 }: AgentSyncOptions = {},
): AgentSync => {
  const { sql } = deps;
  const runDeps = { ...deps, holdMs };
  const stopping = new AbortController();
  const { signal } = stopping;
  const flights = new Map<string, Flight>();

  const serve = async (organizationId: string, ticket: number): Promise<boolean> => {
    const giveUpAt = performance.now() + giveUpAfterMs;
    // A repository that many organizations share would else have the replicas ask the database without pause.
    let lookAgainMs = firstLookAgainMs;
    while (!signal.aborted && performance.now() < giveUpAt) {
      const holder = randomUUID();
      const begun = await beginRun(sql, organizationId, holder, ticket, holdMs);
      if (begun) {
        if (await runSync(runDeps, organizationId, holder, begun, signal)) return true;
      } else {
        if (await isServed(sql, organizationId, ticket)) return true;
        await delay(lookAgainMs, undefined, { signal }).catch(() => {});
        lookAgainMs = Math.min(lookAgainMs * 1.5, slowestLookAgainMs);
      }
    }
    return false;
  };

  const openFlight = (organizationId: string): Flight => {
    const flight: Flight = {
      callers: 0,
      ticket: undefined,
      draw: createSingleFlight(async () => {
        flight.ticket = await requestRun(sql, organizationId);
      }),
      serve: createSingleFlight(async () => {
        return flight.ticket === undefined || (await serve(organizationId, flight.ticket));
      }),
    };
    flights.set(organizationId, flight);
    return flight;
  };

  return {
    syncAgents: async (organizationId) => {
      const flight = flights.get(organizationId) ?? openFlight(organizationId);
      flight.callers += 1;
      try {
        await flight.draw();
        return await flight.serve();
      } finally {
        flight.callers -= 1;
        if (flight.callers === 0) flights.delete(organizationId);
      }
    },

    underWay: () => flights.size,

    close: async () => {
      stopping.abort();
      await Promise.allSettled([...flights.values()].map((flight) => flight.serve()));
    },
  };
};
