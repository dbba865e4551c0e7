// What is said of many cases: of each group the slowest, and the one whose far page is furthest behind its first.
import { type Result, resultOf } from "../harness/figures.ts";
import { type CaseTiming, farRatio, maxFarRatio, maxP99Ms, worstP99 } from "./case-timing.ts";

/** A line of the table; lower is better. */
export const lineOf = (question: string, peer: string, ours: number, theirs: number, reach: number): Result =>
  resultOf({ question, peer, ours, theirs, unit: "ms", reach, better: "lower" });

const worstBy = (timings: readonly CaseTiming[], by: (timing: CaseTiming) => number): CaseTiming | undefined =>
  timings.toSorted((one, other) => by(other) - by(one))[0];

const resultsOf = (group: string, timings: readonly CaseTiming[]): Result[] => {
  const slowest = worstBy(timings, worstP99);
  const farthest = worstBy(
    timings.filter(({ later }) => later),
    (timing) => farRatio(timing) ?? 0,
  );
  return [
    ...(slowest
      ? [
          lineOf(
            `${group}, slowest p99 of ${timings.length}`,
            `limit of ${maxP99Ms} ms`,
            worstP99(slowest),
            maxP99Ms,
            1,
          ),
        ]
      : []),
    ...(farthest?.later
      ? [
          lineOf(
            `${group}, p50 of page ${farthest.far?.number}`,
            "its first page",
            farthest.later.p50Ms,
            farthest.first.p50Ms,
            maxFarRatio,
          ),
        ]
      : []),
  ];
};

export const resultsByGroup = (timings: readonly CaseTiming[]): Result[] =>
  [...Map.groupBy(timings, ({ group }) => group)].flatMap(([group, ofGroup]) => resultsOf(group, ofGroup));
