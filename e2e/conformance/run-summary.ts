// A run in words: one line that says it all, and under it whatever went wrong.
import type { RunResult } from "./conformance-run.ts";

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

export const summaryLine = (result: RunResult): string => {
  const { seed, seconds, tasks, received, faults, kills, databaseRestarts, executorCrashes, healed } = result;
  return [
    `seed ${seed}`,
    `${seconds.toFixed(0)} s`,
    `tasks ${tasks}`,
    `received ${received}`,
    `faults ${sum(faults)} (${listed(faults)})`,
    `kills ${kills}`,
    `executor crashes ${executorCrashes}`,
    `database restarts ${databaseRestarts}`,
    `lost ${result.lost.length}`,
    `doubled ${result.doubled.length}`,
    `inversions ${result.inversions.length} (short passings ${result.shortPassings})`,
    `deadlocks ${result.deadlocks}`,
    `healed: ${listed(healed)}`,
  ].join(", ");
};

/** What must not be there, one line each; empty when the run has passed. */
export const findingsOf = (result: RunResult): string[] => [
  ...(result.isLate ? ["time was over before everything was done"] : []),
  ...result.lost.map((id) => `lost: task ${id}`),
  ...result.doubled.map((id) => `doubled: task ${id}`),
  ...result.inversions.map(
    ({ taken, passed, takers, atMs, lastsMs }) =>
      `inversion: ${passed} was passed by ${taken.length} (${taken[0]} …) for ${takers.join(", ")}, for ${lastsMs.toFixed(0)} ms from ${new Date(atMs).toISOString()}`,
  ),
  ...result.unhealed.map((id) => `never received and never ended: dispatch ${id}`),
  ...result.forgottenEnds.map((id) => `answered with success and forgotten: the end of dispatch ${id}`),
  ...result.unfinished.map((id) => `not done at the end: task ${id}`),
  ...result.violations,
  ...(result.deadlocks > 0 ? [`deadlocks: ${result.deadlocks}`] : []),
  ...[...Map.groupBy(result.surprises, (text) => text)].map(
    ([text, all]) => `unexpected answer, ${all.length}×: ${text}`,
  ),
];
