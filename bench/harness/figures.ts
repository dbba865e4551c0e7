// Numbers out of measurements: rates, percentiles, medians, and what the bench says in the end.

/** What one side did in one round. */
export interface Rate {
  perSecond: number;
  /** From asking to having, where one at a time was asked for. */
  p50Ms?: number;
  p99Ms?: number;
}

/** One line of the table. */
export interface Result {
  question: string;
  /** Whom or what we are held against. */
  peer: string;
  ours: number;
  theirs: number;
  unit: string;
  /** Ours to theirs. */
  ratio: number;
  /** The ratio to reach: at least, or at most where lower is better. */
  reach: number;
  better: "higher" | "lower";
}

/** The value that `share` (0 to 1) of them do not exceed. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("There is nothing to take a percentile of.");
  return value;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Rate and latencies of what was counted within `seconds`. */
export const rateOf = (count: number, seconds: number, latenciesMs: readonly number[] = []): Rate => ({
  perSecond: count / seconds,
  ...(latenciesMs.length > 0 && { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) }),
});

/** The round whose rate is in the middle. */
export const medianRate = (rates: readonly Rate[]): Rate => {
  const middle = median(rates.map(({ perSecond }) => perSecond));
  const rate = rates.find(({ perSecond }) => perSecond === middle);
  if (!rate) throw new Error("There are no rounds.");
  return rate;
};

export const resultOf = (line: Omit<Result, "ratio">): Result => ({ ...line, ratio: line.ours / line.theirs });

export const isReached = ({ ratio, reach, better }: Result): boolean =>
  better === "higher" ? ratio >= reach : ratio <= reach;
