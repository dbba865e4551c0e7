// One process of this machine uses an executor's name at a time: a lock file with the process's id (D-19).
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { lockDirectory } from "./lock-directory.ts";
import { NameTakenError } from "./name-taken-error.ts";
import { tryLock } from "./process-lock.ts";

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** One spelling for each service: this machine has many names for itself, and a default port may be left out. */
const plainAddress = (serviceUrl: string): string => {
  const url = URL.parse(serviceUrl);
  if (!url) return serviceUrl;
  if (loopback.test(url.hostname)) url.hostname = "localhost";
  return url.href.replace(/\/+$/, "");
};

/**
 * Takes the name for this process, at this service; the lock of a process that is gone is taken over. Returns what
 * gives it back. Throws {@link NameTakenError}, or what `lockDirectory` throws.
 */
export const lockName = (name: string, serviceUrl: string, directory = lockDirectory()): (() => void) => {
  // Machines may share a home, and process ids mean nothing from one to the other.
  const digest = createHash("sha256")
    .update(JSON.stringify([hostname(), plainAddress(serviceUrl), name]))
    .digest("hex")
    .slice(0, 32);
  const { unlock, holder } = tryLock(join(directory, `${digest}.lock`));
  if (!unlock) {
    throw new NameTakenError(
      `process ${holder} is the executor ${name} already: wait for its end, or take another --name`,
    );
  }
  return unlock;
};
