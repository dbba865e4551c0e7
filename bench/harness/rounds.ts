// Sides take turns, so that whatever drifts on the machine drifts for all of them.
import { medianRate, type Rate } from "./figures.ts";
import type { Place } from "./place.ts";

export interface Side {
  readonly name: string;
  /** Brings its queue back to the number of tasks that the question asks for. */
  prepare(): Promise<void>;
  measure(): Promise<Rate>;
}

/** Measures each side once a round, in the order given, and answers the median round of each, in that order. */
export const alternate = async ({ sizes, say, checkpoint }: Place, sides: readonly Side[]): Promise<Rate[]> => {
  const rates = sides.map((): Rate[] => []);
  await checkpoint();
  for (let round = 1; round <= sizes.rounds; round += 1)
    for (const [index, side] of sides.entries()) {
      await side.prepare();
      const rate = await side.measure();
      rates[index]?.push(rate);
      say(`round ${round}  ${side.name}: ${describeRate(rate)}`);
    }
  return rates.map(medianRate);
};

const describeRate = ({ perSecond, p50Ms, p99Ms }: Rate): string => {
  const latency =
    p50Ms === undefined || p99Ms === undefined ? "" : `, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  return `${Math.round(perSecond)}/s${latency}`;
};
