// A look at every agents repository (D-32): not all of them at once.
import { setTimeout as delay } from "node:timers/promises";
import { listOrganizationIds } from "../organizations/organization-queries.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { mapInParallel } from "../platform/parallel.ts";
import type { AgentSync } from "./agent-sync.ts";

const organizationsAtOnce = 8;
const usualGapMs = 20;

export interface SyncRoundDeps {
  sql: Sql;
  sync: AgentSync;
  log: Logger;
  /** Ends the round before its next organization. */
  signal: AbortSignal;
  /** Between the starts of two organizations on average; 0: one right after the other. */
  gapMs?: number;
  /** The starts of all organizations are spread over this time at the most. */
  spreadMs: number;
  /** From 0 to below 1, evenly. */
  random?: () => number;
}

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);

/**
 * Synchronizes every organization once, in random order, 8 at a time, their starts spread so that the git host is not
 * asked for all at one moment. A failure of one is logged and stops no other.
 */
export const syncAllAgents = async ({
  sql,
  sync,
  log,
  signal,
  gapMs = usualGapMs,
  spreadMs,
  random = Math.random,
}: SyncRoundDeps): Promise<void> => {
  const ids = shuffled(await listOrganizationIds(sql), random);
  const gap = Math.min(gapMs, spreadMs / ids.length);
  const begunAt = performance.now();
  await mapInParallel(organizationsAtOnce, [...ids.entries()], async ([index, id]) => {
    const waitMs = begunAt + gap * (index + random()) - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await sync
      .syncAgents(id)
      .catch((error) => log.error({ err: error, organization_id: id }, "synchronization failed"));
  });
};
