// One run of the bench: servers up, each question in turn, the table, and nothing left behind however it ends.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandLine } from "./command-line.ts";
import type { Result } from "./harness/figures.ts";
import { openPlace } from "./harness/place.ts";
import { describeMachine, tableOf, writeReport } from "./harness/report.ts";
import { fullSizes, quickSizes } from "./harness/sizes.ts";
import { questions } from "./questions/all-questions.ts";

const interrupted = 130;

/** Answers the exit code: 0 when every figure could be taken, whether or not it reaches what it should, and all held that must. */
export const run = async ({ names, isQuick, jsonFile, keptDir, match }: CommandLine): Promise<number> => {
  const whole = new AsyncDisposableStack();
  let current = whole;
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= current.disposeAsync().finally(() => whole.disposeAsync());
    return ending;
  };
  const onSignal = (): void => {
    void end().finally(() => process.exit(interrupted));
  };
  // npm passes on what the terminal has sent already: a second signal says nothing new.
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);

  const startedAt = performance.now();
  const say = (text: string): void => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`${seconds.padStart(5)} s  ${text}\n`);
  };
  const dataDir = await mkdtemp(join(tmpdir(), "task-service-bench-"));
  whole.defer(() => rm(dataDir, { recursive: true, force: true }));
  const results: Result[] = [];
  const details: object[] = [];
  const failures: string[] = [];
  const fail = (text: string): void => {
    failures.push(text);
    say(text);
  };
  try {
    const sizes = isQuick ? quickSizes : fullSizes;
    const place = await openPlace({
      sizes,
      dataDir,
      keptDir,
      match,
      say,
      fail,
      keepDetails: (more) => void details.push(...more),
      defer: (work) => current.defer(async () => void (await work())),
    });
    for (const name of names) {
      say(`── ${name}`);
      current = new AsyncDisposableStack();
      try {
        results.push(...(await questions[name](place)));
      } catch (error) {
        // What fails because it is being ended is no failure; the signal's handler sees to the exit.
        if (ending) return interrupted;
        fail(`${name} was not measured: ${(error as Error).message}`);
      }
      await current.disposeAsync();
    }
    const machine = describeMachine(place.postgresVersion);
    process.stdout.write(`\n${machine}\n${isQuick ? "A quick run: not to be quoted.\n" : ""}\n${tableOf(results)}\n`);
    for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`);
    if (jsonFile) await writeReport(jsonFile, machine, results, details);
  } finally {
    await end();
  }
  return failures.length === 0 ? 0 : 1;
};
