// Where a command runs: environment, standard streams and folder. Those of this process, unless whoever runs it gives others.
import { AsyncLocalStorage } from "node:async_hooks";
import { tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly columns?: number; readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  cwd(): string;
}

const current = new AsyncLocalStorage<Surroundings>();

/** Of the command that asks. */
export const surroundings = (): Surroundings => current.getStore() ?? process;

/** Runs `work` so that all it calls sees these. */
export const runWithin = <T>(those: Surroundings, work: () => T): T => current.run(those, work);

/** Where files go that are short-lived, or for the person to take away. */
export const temporaryDirectory = (): string => surroundings().env["TMPDIR"] || tmpdir();
