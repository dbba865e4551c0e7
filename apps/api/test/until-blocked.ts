// Waits until a statement waits for a lock: the moment at which two changes are known to race.
import { expect, vi } from "vitest";
import type { TestApp } from "./test-app.ts";

/** Resolves once at least `statements` of the API wait for a row that somebody else holds. */
export const untilBlocked = ({ sql }: TestApp, statements = 1): Promise<void> =>
  vi.waitFor(
    async () => {
      const blocked = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
      expect(blocked.length).toBeGreaterThanOrEqual(statements);
    },
    { timeout: 5000 },
  );
