// What a model is told when a call fails: what happened, and what it can do about it.
import { type ProblemCode, ProblemError } from "@task-service/contract";
import { exitCodes } from "../exit-codes.ts";
import { reportOf } from "../failure-report.ts";
import { ToolUseError } from "./mcp-tool.ts";

const mending: Partial<Record<ProblemCode, string>> = {
  not_found: "list_tasks finds tasks and their ids.",
  stale_dispatch: "Your task was given to another worker or taken back: stop working on it.",
  already_dispatched: "A worker has the task now: leave a note (leave_note), or create another task.",
  follow_up_limit: "Create no more follow-ups: say in a note what is left to do.",
};

const transient = "This may pass: try again in a while.";
const forPeople = "If it stays so, tell whoever started you: only people can mend it.";

/** Every failure that is foreseen becomes sentences; anything else is thrown: a fault of this program. */
export const failureSentence = (error: unknown): string => {
  if (error instanceof ToolUseError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") {
    return `The service did not answer in time. ${transient} If you were creating something, see first whether it is there.`;
  }
  const report = reportOf(error);
  if (!report) throw error;
  const { sentence, exitCode } = report;
  const isBusy = error instanceof ProblemError && error.code === "rate_limited";
  const advice = error instanceof ProblemError ? mending[error.code] : undefined;
  if (advice) return `${sentence} ${advice}`;
  if (exitCode === exitCodes.outOfReach || isBusy) return `${sentence} ${transient}`;
  return exitCode === exitCodes.notSignedIn ? `${sentence} ${forPeople}` : sentence;
};
