// Where a command runs: environment, standard streams and folder. Those of this process, unless whoever runs it gives others.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable, Writable } from "node:stream";

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable;
  cwd(): string;
}

const given = new AsyncLocalStorage<Surroundings>();

/** Of the command that asks. */
export const surroundings = (): Surroundings => given.getStore() ?? process;

/** Runs `work` so that all it calls sees these. */
export const runWithin = <T>(those: Surroundings, work: () => T): T => given.run(those, work);
