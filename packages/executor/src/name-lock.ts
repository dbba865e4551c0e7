// One process of this machine uses an executor's name at a time: a lock file with the process's id (D-19).
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another process of this machine is the executor of that name; `pid` is its id. */
export class NameTakenError extends Error {
  override readonly name = "NameTakenError";
  readonly pid: number;

  constructor(name: string, pid: number) {
    super(`process ${pid} is the executor ${name} already: wait for its end, or take another --name`);
    this.pid = pid;
  }
}

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

/** The process that holds the lock, or undefined when it is gone. */
const holderOf = (content: string): number | undefined => {
  const [pid = "", start = ""] = content.trim().split(" ");
  const id = Number(pid);
  if (!Number.isSafeInteger(id) || id <= 0 || !isAlive(id)) return undefined;
  return startOf(id) === start ? id : undefined;
};

const readLock = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
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

const lockDirectory = (): string => {
  const directory = join(tmpdir(), `task-service-executors-${process.getuid?.() ?? "user"}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  return directory;
};

/**
 * Takes the name for this process, at this service; the lock of a process that is gone is taken over. Returns what
 * gives it back. Throws {@link NameTakenError}.
 */
export const lockName = (name: string, serviceUrl: string, directory = lockDirectory()): (() => void) => {
  const digest = createHash("sha256")
    .update(JSON.stringify([serviceUrl, name]))
    .digest("hex")
    .slice(0, 32);
  const path = join(directory, `${digest}.lock`);
  const own = join(directory, `${digest}.${randomUUID()}`);
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}\n`, { mode: 0o600 });
  try {
    while (!linked(own, path)) {
      const content = readLock(path);
      if (content === undefined) continue;
      const holder = holderOf(content);
      if (holder !== undefined) throw new NameTakenError(name, holder);
      removeStale(path, `${own}.stale`, content);
    }
  } finally {
    rmSync(own, { force: true });
  }
  const content = readLock(path);
  return () => {
    if (readLock(path) === content) rmSync(path, { force: true });
  };
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
