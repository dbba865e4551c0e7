// Ends a Playwright run with the plain line that CI reads: `N passed, N failed`.
import type { FullResult, Reporter, Suite } from "@playwright/test/reporter";

export default class ClosingLineReporter implements Reporter {
  private suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onEnd({ status }: FullResult): void {
    const outcomes = this.suite?.allTests().map((test) => test.outcome()) ?? [];
    const passed = outcomes.filter((outcome) => outcome === "expected" || outcome === "flaky").length;
    const failed = outcomes.filter((outcome) => outcome === "unexpected").length;
    process.stdout.write(`${passed} passed, ${status === "passed" ? failed : Math.max(failed, 1)} failed\n`);
  }

  printsToStdio(): boolean {
    return true;
  }
}
