// A stretch of time that is counted: after a warm-up, for a fixed number of seconds.
import { setTimeout as delay } from "node:timers/promises";
import { type Rate, rateOf } from "./figures.ts";

export interface TimeWindow {
  isOver(): boolean;
  /** Resolves when it is over. */
  readonly end: Promise<void>;
  /** Counts one now, with the latency since `startedAt` (of `performance.now()`), unless it is warming up or over. */
  count(startedAt?: number): void;
  rate(): Rate;
}

const warmUpMs = 1000;

/** Begins now, counts from one second later. */
export const openTimeWindow = (seconds: number): TimeWindow => {
  const from = performance.now() + warmUpMs;
  const to = from + seconds * 1000;
  const latenciesMs: number[] = [];
  let count = 0;
  return {
    isOver: () => performance.now() >= to,
    end: delay(to - performance.now()),
    count: (startedAt) => {
      const now = performance.now();
      if (now < from || now >= to) return;
      count += 1;
      if (startedAt !== undefined) latenciesMs.push(now - startedAt);
    },
    rate: () => rateOf(count, seconds, latenciesMs),
  };
};
