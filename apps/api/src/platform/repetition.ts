// Work that repeats in the background: one run at a time, a failed one logged and the next one tried.
import type { Logger } from "./logger.ts";

/** Runs `work` every `everyMs` until the returned function is called, unless the last run is still under way. */
export const repeat = (name: string, everyMs: number, log: Logger, work: () => Promise<unknown>): (() => void) => {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, `${name} failed`);
    } finally {
      isRunning = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
};
