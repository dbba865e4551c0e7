// What the executor can say of the task service just now; it logs one line per change, not one per failure.
import { ProblemError, UnexpectedAnswerError } from "@task-service/contract";
import { CredentialsError } from "./credentials.ts";

const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

/** Sequences come from the clock, so an executor that starts is refused for one of two reasons. */
const staleSignal =
  "the task service answers 409 stale_signal, so another process uses this executor's name or the clock was set back";

const describe = (error: unknown): { kind: string; line: string } => {
  if (error instanceof ProblemError) {
    const { code, status, message } = error;
    if (code === "not_a_member") return { kind: code, line: `not a member of the group: ${message}` };
    if (code === "unauthenticated") return { kind: code, line: `the task service refuses the token: ${message}` };
    if (code === "stale_signal") return { kind: code, line: `${staleSignal}: ${message}` };
    return { kind: code, line: `the task service answers ${status} ${code}: ${message}` };
  }
  if (error instanceof CredentialsError) return { kind: "no_token", line: `no access token: ${error.message}` };
  if (error instanceof UnexpectedAnswerError) return { kind: `status_${error.status}`, line: error.message };
  const cause = error instanceof Error ? causeOf(error) : String(error);
  return { kind: "unreachable", line: `the task service cannot be reached: ${cause}` };
};

export interface ServiceCondition {
  reached(): void;
  failed(error: unknown): void;
}

export const createServiceCondition = (log: (line: string) => void): ServiceCondition => {
  let trouble: string | undefined;

  return {
    reached() {
      if (trouble) log("the task service answers again");
      trouble = undefined;
    },
    failed(error) {
      const { kind, line } = describe(error);
      if (kind !== trouble) log(`${line}; trying again`);
      trouble = kind;
    },
  };
};
