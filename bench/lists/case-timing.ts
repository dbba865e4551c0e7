// How long each case takes: its first page and a far one in turns, so that what drifts on the machine drifts for both.
import { percentile } from "../harness/figures.ts";
import type { WalkedCase } from "./far-pages.ts";
import type { Reader } from "./reader.ts";

export interface Times {
  p50Ms: number;
  p99Ms: number;
}

export interface CaseTiming extends WalkedCase {
  first: Times;
  later: Times | undefined;
}

export const maxP99Ms = 25;
export const maxFarRatio = 1.3;

const warmUps = 5;
/** What misses its reach is asked so many times as often before it is said of it. */
const secondLook = 2;

export const timesOf = (values: readonly number[]): Times => ({
  p50Ms: percentile(values, 0.5),
  p99Ms: percentile(values, 0.99),
});

const takeTiming = async (reader: Reader, one: WalkedCase, samples: number): Promise<CaseTiming> => {
  const paths = [one.path, ...(one.far ? [one.far.path] : [])];
  const values = paths.map((): number[] => []);
  for (let sample = -warmUps; sample < samples; sample += 1)
    for (const [index, path] of paths.entries()) {
      const ms = await reader.time(path);
      if (sample >= 0) values[index]?.push(ms);
    }
  const [first = [], later] = values;
  return { ...one, first: timesOf(first), later: later && timesOf(later) };
};

export const worstP99 = ({ first, later }: CaseTiming): number => Math.max(first.p99Ms, later?.p99Ms ?? 0);

/** Undefined where there is one page only. */
export const farRatio = ({ first, later }: CaseTiming): number | undefined => later && later.p50Ms / first.p50Ms;

export const isWithinReach = (timing: CaseTiming): boolean =>
  worstP99(timing) < maxP99Ms && (farRatio(timing) ?? 0) <= maxFarRatio;

/** Asks `samples` times; four times as often, in a second look that counts, if that misses what is to be reached. */
export const timeCase = async (reader: Reader, one: WalkedCase, samples: number): Promise<CaseTiming> => {
  const timing = await takeTiming(reader, one, samples);
  return isWithinReach(timing) ? timing : takeTiming(reader, one, samples * secondLook);
};

const ms = (value: number): string => value.toFixed(1);

/** In one line. */
export const describeTiming = (timing: CaseTiming): string => {
  const { first, later, far, path } = timing;
  const farText =
    later && far ? `, page ${far.number} ${ms(later.p50Ms)}/${ms(later.p99Ms)} (${farRatio(timing)?.toFixed(2)}×)` : "";
  return `${ms(first.p50Ms)}/${ms(first.p99Ms)} ms${farText}  ${path}`;
};
