// How `task-service` ends: its exit codes, and the errors that choose one.

export const exitCodes = {
  good: 0,
  /** The service refused, or a check had findings. */
  refused: 1,
  wrongUse: 2,
  /** There is no token, or the service does not take it. */
  notSignedIn: 3,
  /** Nobody answered, or somebody who is not the service, or it cannot answer now. */
  outOfReach: 4,
  /** sysexits.h: EX_TEMPFAIL. */
  nameTaken: 75,
  /** sysexits.h: EX_CONFIG. */
  configuration: 78,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with `exitCode`; the message is a sentence or more for people, or empty when all is said. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What was typed cannot be used. */
export const wrongUse = (message: string): CommandFailure => new CommandFailure(exitCodes.wrongUse, message);

export const notSignedIn = (message: string): CommandFailure => new CommandFailure(exitCodes.notSignedIn, message);

/** There was no answer from `who`; `cause` is what `fetch` rejected with. */
export const outOfReach = (who: string, cause: unknown): CommandFailure =>
  new CommandFailure(exitCodes.outOfReach, `${who} cannot be reached: ${causeOf(cause)}.`);

/** What lies behind "fetch failed". */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.cause === undefined) return error.message;
  const code = (error.cause as NodeJS.ErrnoException).code;
  return (error.cause as Error).message || code || error.message;
};
