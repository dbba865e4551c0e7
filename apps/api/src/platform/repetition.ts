// Work that repeats in the background: one run at a time, a failed one logged and the next one tried.
import { within } from "./database.ts";
import type { Logger } from "./logger.ts";

const patienceMs = 60_000;

/**
 * Runs `work` every `everyMs` until the returned function is called, unless the last run is still under way. One that
 * takes longer than `deadlineMs` counts as failed and is waited for no more: a connection that fell silent may keep it
 * for a quarter of an hour. It may end beside a later run, so `work` must bear company.
 */
export const repeat = (
  name: string,
  everyMs: number,
  log: Logger,
  work: () => Promise<unknown>,
  deadlineMs = Math.max(everyMs, patienceMs),
): (() => void) => {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await within(deadlineMs, work());
    } catch (error) {
      log.warn({ err: error }, `${name} failed`);
    } finally {
      isRunning = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
};
