// What a command of `task-service` is.

export interface Command {
  /** The words that choose it. */
  readonly name: string;
  /** The name and what follows it, in one line. */
  readonly usage: string;
  /** What it is for, in one sentence. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  /** Takes what stands behind the name, resolves to the exit code. Rejects with UsageError for what it cannot take. */
  run(args: readonly string[]): Promise<number>;
}

/** The arguments cannot be used; the message says in a sentence why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
