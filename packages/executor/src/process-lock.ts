// A lock file that one process holds at a time: it names its holder, so that nobody waits for one that is gone.
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

export type LockAttempt =
  | {
      /** Gives the lock back, unless another process has taken it over meanwhile. */
      readonly unlock: () => void;
      readonly holder?: never;
    }
  | {
      /** Who has it: a process id, of another machine perhaps. */
      readonly holder: number;
      readonly unlock?: never;
    };

/** Since when a process runs, in the kernel's ticks; an id is given anew after a while. Empty where `/proc` does not tell. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const readLock = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const ageMs = (path: string): number => {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
};

/** The process that holds the lock, or undefined when it is gone. Those of other machines cannot be looked at. */
const holderOf = (content: string, isShared: boolean): number | undefined => {
  const [pid = "", start = "", machine = hostname()] = content.trim().split(" ");
  const id = Number(pid);
  if (!Number.isSafeInteger(id) || id <= 0) return undefined;
  if (isShared && machine !== hostname()) return id;
  return isAlive(id) && startOf(id) === start ? id : undefined;
};

/** False when the file is there already. */
const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

/** Moved away before it is removed: should another process have taken the lock over meanwhile, it gets it back. */
const removeStale = (path: string, aside: string, stale: string): void => {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readLock(aside) !== stale) linked(aside, path);
  rmSync(aside, { force: true });
};

/**
 * Tries to take the lock at `path` for this process. That of a process that is gone is taken over; with `maxAgeMs` also one
 * that is older, whoever has it, and then machines may share the folder. Throws the file system's error.
 */
export const tryLock = (path: string, maxAgeMs = Number.POSITIVE_INFINITY): LockAttempt => {
  const id = randomUUID();
  const own = `${path}.${id}`;
  const content = `${process.pid} ${startOf(process.pid)} ${hostname()} ${id}\n`;
  writeFileSync(own, content, { mode: 0o600 });
  try {
    while (!linked(own, path)) {
      const held = readLock(path);
      if (held === undefined) continue;
      const holder = holderOf(held, Number.isFinite(maxAgeMs));
      if (holder !== undefined && ageMs(path) <= maxAgeMs) return { holder };
      removeStale(path, `${own}.stale`, held);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    unlock: () => {
      if (readLock(path) === content) rmSync(path, { force: true });
    },
  };
};
