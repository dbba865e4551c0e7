// Ends a Vitest run with the plain line that CI reads: `N passed, N failed`.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    // A file that cannot be loaded has no tests to fail, but it has failed.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    process.stdout.write(`${passed} passed, ${failed + broken} failed\n`);
  }
}
