// Begins the rounds of a piece of work when they are due, on whichever replica is first (D-32).
import { setTimeout as delay } from "node:timers/promises";
import { type Sql, within } from "./database.ts";
import type { Logger } from "./logger.ts";
import { takeRound } from "./rounds.ts";
import { unlessAborted } from "./unless-aborted.ts";

const lookEveryMs = 1000;
/** Work that hangs, or a connection that fell silent, keeps a round for this long and its hold: then the next one begins beside it. */
const patienceMs = 10 * 60_000;
const stopMs = 2000;

export interface RoundSchedule {
  /** The same in all replicas. */
  name: string;
  /** Counted from begin to begin. */
  intervalSeconds: number;
  /**
   * Ends early once `signal` is aborted; the round is given back without waiting for it. One that fails is logged, and the
   * next one begins when it is due.
   */
  work: (signal: AbortSignal) => Promise<void>;
}

/**
 * Begins a round at once, unless another replica is at one: nobody knows what happened before. Then one every interval.
 * The function returned begins no more rounds, and gives back the one under way; resolves after 2 s at the most.
 */
export const startRounds = (
  { sql, log }: { sql: Sql; log: Logger },
  { name, intervalSeconds, work }: RoundSchedule,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let everySeconds = 0;
  const begun = async (): Promise<void> => {
    everySeconds = intervalSeconds;
    await unlessAborted(signal, work(signal));
  };
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await within(patienceMs, takeRound(sql, log, { name, everySeconds, patienceMs, work: begun }));
        everySeconds = intervalSeconds;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `a round of ${name} failed, or is waited for no more`);
      }
      await delay(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  };
  const ended = repeat();
  return async () => {
    stopping.abort();
    await within(stopMs, ended).catch(() => {});
  };
};
