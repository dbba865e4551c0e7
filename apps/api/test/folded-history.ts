// Folds the history for tests that ask for numbers, which production does every other second.
import { expect, vi } from "vitest";
import { foldEvents } from "../src/stats/event-fold.ts";
import type { TestApp } from "./test-app.ts";

/** Resolves when all that was committed before the call is in the numbers. */
export const foldHistory = async ({ sql, feed }: TestApp): Promise<void> => {
  const [last] = await sql<[{ id: number }]>`select coalesce(max(id), 0) as id from events`;
  // Transactions of other tests, on the same server, may hold the horizon back for a moment.
  await vi.waitFor(
    async () => {
      await foldEvents(sql, await feed.settled());
      const [position] = await sql<[{ event_id: number }]>`select event_id from stats_position`;
      expect(position.event_id).toBeGreaterThanOrEqual(last.id);
    },
    { timeout: 10_000 },
  );
};
