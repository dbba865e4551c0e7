// The conformance run in short: tasks through a fault proxy and replicas that are killed, judged by what was written down.
import { expect, test } from "vitest";
import { runConformance, shortRun } from "./conformance-run.ts";
import { findingsOf, summaryLine } from "./run-summary.ts";

const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);
const options = { timeout: 240_000 };

test(
  "1,500 tasks, a fault on every tenth answer, replicas killed, PostgreSQL crashed: nothing lost, doubled or out of order",
  options,
  async () => {
    const result = await runConformance({ ...shortRun, seed: newSeed() });
    expect(findingsOf(result), summaryLine(result)).toEqual([]);
  },
);

test("1,500 tasks and no trouble: no hand-over ever passes a task that stands before it", options, async () => {
  const result = await runConformance({ ...shortRun, seed: newSeed(), trouble: undefined });
  expect(findingsOf(result), summaryLine(result)).toEqual([]);
});
