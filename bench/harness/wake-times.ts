// How long it takes from creating a task until an executor that waits has it, one task after the other.
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "./figures.ts";

export interface WakeTimes {
  p50Ms: number;
  p99Ms: number;
}

/** Between two tasks, for the executor that was woken to wait again. */
const settleMs = 8;
const warmUps = 20;

/** `wake` answers in milliseconds. */
export const takeWakeTimes = async (samples: number, wake: () => Promise<number>): Promise<WakeTimes> => {
  const times: number[] = [];
  for (let n = 0; n < warmUps + samples; n += 1) {
    await delay(settleMs);
    const time = await wake();
    if (n >= warmUps) times.push(time);
  }
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
};
