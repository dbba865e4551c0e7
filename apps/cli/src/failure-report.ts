// What went wrong, as one sentence for people and models, with the exit code that belongs to it.
import { type Problem, ProblemError, UnexpectedAnswerError } from "@task-service/contract";
import { CredentialsError, SettingsError } from "@task-service/executor";
import { CommandFailure, type ExitCode, exitCodes, outOfReach } from "./exit-codes.ts";
import { shortenedLine } from "./shortened-text.ts";

export interface FailureReport {
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

/** With a full stop, unless it has an end. */
const closed = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

/** A pointer as people write it: `/tasks/3/title` is tasks.3.title, `?limit` is limit. */
const fieldOf = (pointer: string): string =>
  pointer.replace(/^[/?]/, "").replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");

/** The problem in a sentence that names the field at fault, if there is one. */
export const problemSentence = ({ detail, title, errors = [], code, request_id }: Problem): string => {
  const unsaid = errors.flatMap(({ pointer, detail: what }) => {
    const field = fieldOf(pointer);
    const words = [detail.includes(field) ? "" : field, detail.includes(what) ? "" : what];
    return words.filter(Boolean).join(" ") || [];
  });
  const sentence = closed([(detail || title).replace(/\.$/, ""), ...unsaid].join(": "));
  return code === "internal_error" ? `${sentence} The request was ${request_id}.` : sentence;
};

const codeOf = ({ code, status }: ProblemError): ExitCode => {
  if (code === "unauthenticated") return exitCodes.notSignedIn;
  return status === 503 ? exitCodes.outOfReach : exitCodes.refused;
};

const signInHint = "Sign in with `task-service login`, or set TASK_SERVICE_TOKEN or TASK_SERVICE_TOKEN_FILE.";

/** Undefined for what is no foreseen failure: a fault of this program. */
export const reportOf = (error: unknown): FailureReport | undefined => {
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, sentence: error.message };
  if (error instanceof ProblemError) {
    const exitCode = codeOf(error);
    const hint = exitCode === exitCodes.notSignedIn ? ` ${signInHint}` : "";
    return { exitCode, sentence: problemSentence(error.problem) + hint };
  }
  if (error instanceof UnexpectedAnswerError) {
    const line = shortenedLine(error.message);
    const isTrouble = error.status >= 500;
    const sentence = isTrouble
      ? `The service, or something before it, is in trouble: ${line}.`
      : `${line}. Is TASK_SERVICE_URL right?`;
    return { exitCode: exitCodes.outOfReach, sentence };
  }
  if (error instanceof SettingsError) {
    const sentence = `The settings cannot be used: ${error.problems.map(shortenedLine).join("; ")}.`;
    return { exitCode: exitCodes.configuration, sentence };
  }
  if (error instanceof CredentialsError) {
    return { exitCode: exitCodes.notSignedIn, sentence: `There is no token: ${closed(shortenedLine(error.message))}` };
  }
  const isUnanswered = error instanceof TypeError && error.message === "fetch failed";
  return isUnanswered ? reportOf(outOfReach("The service", error)) : undefined;
};
