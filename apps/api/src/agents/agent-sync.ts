// Asks for synchronizations (D-31): whoever asks at once shares a run, in this process and across replicas.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createSingleFlight } from "../platform/single-flight.ts";
import type { SyncDeps } from "./sync-look.ts";
import { beginRun, isServed, requestRun } from "./sync-queries.ts";
import { runSync } from "./sync-run.ts";

export interface AgentSync {
  /**
   * Resolves once a run that began after this call has ended, here or on another replica: true. False if the service
   * stops before, or after 10 minutes. The outcome stands in the organization's `sync`.
   */
  syncAgents(organizationId: string): Promise<boolean>;
  /** How many organizations anybody asks this process for. */
  underWay(): number;
  /** Gives up the runs under way, which write nothing, and gives back what they hold. */
  close(): Promise<void>;
}

const lookAgainMs = 200;
const giveUpAfterMs = 10 * 60_000;

/** What this process does for one organization, while anybody asks for it. */
interface Flight {
  callers: number;
  /** Of the last draw; undefined if the organization is gone. */
  ticket: number | undefined;
  /** Draws a ticket that is newer than the call. */
  draw: () => Promise<void>;
  /** Sees to it that the ticket is served: one that looks, however many wait. */
  serve: () => Promise<void>;
}

export const createAgentSync = (deps: SyncDeps): AgentSync => {
  const { sql } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const flights = new Map<string, Flight>();

  const serve = async (organizationId: string, ticket: number): Promise<void> => {
    const giveUpAt = performance.now() + giveUpAfterMs;
    while (!signal.aborted && performance.now() < giveUpAt) {
      const holder = randomUUID();
      const begun = await beginRun(sql, organizationId, holder, ticket);
      if (begun) {
        if (await runSync(deps, organizationId, holder, begun, signal)) return;
      } else {
        if (await isServed(sql, organizationId, ticket)) return;
        await delay(lookAgainMs, undefined, { signal }).catch(() => {});
      }
    }
  };

  const openFlight = (organizationId: string): Flight => {
    const flight: Flight = {
      callers: 0,
      ticket: undefined,
      draw: createSingleFlight(async () => {
        flight.ticket = await requestRun(sql, organizationId);
      }),
      serve: createSingleFlight(async () => {
        if (flight.ticket !== undefined) await serve(organizationId, flight.ticket);
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
        await flight.serve();
        return !signal.aborted;
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
