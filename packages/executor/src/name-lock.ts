// One process of this machine uses an executor's name at a time: a lock file with the process's id (D-19).
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { lockDirectory } from "./lock-directory.ts";
import { tryLock } from "./process-lock.ts";

/** Another process of this machine is the executor of that name; `pid` is its id. */
export class NameTakenError extends Error {
  override readonly name = "NameTakenError";
  readonly pid: number;

  constructor(name: string, pid: number) {
    super(`process ${pid} is the executor ${name} already: wait for its end, or take another --name`);
    this.pid = pid;
  }
}

/**
 * Takes the name for this process, at this service; the lock of a process that is gone is taken over. Returns what
 * gives it back. Throws {@link NameTakenError}, or what `lockDirectory` throws.
 */
export const lockName = (name: string, serviceUrl: string, directory = lockDirectory()): (() => void) => {
  // Machines may share a home, and process ids mean nothing from one to the other.
  const digest = createHash("sha256")
    .update(JSON.stringify([hostname(), serviceUrl, name]))
    .digest("hex")
    .slice(0, 32);
  const { unlock, holder } = tryLock(join(directory, `${digest}.lock`));
  if (!unlock) throw new NameTakenError(name, holder);
  return unlock;
};
