// What `login` keeps: one file below the user's configuration folder, for its owner alone (mode 600).
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError } from "@task-service/executor";

export interface Login {
  readonly issuer: string;
  readonly client_id: string;
  /** As they are asked for again with a refresh. */
  readonly scope: string;
  readonly resource?: string | undefined;
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  /** RFC 3339. */
  readonly expires_at: string;
}

export interface Logins {
  /** Service used when TASK_SERVICE_URL is not set. */
  readonly current: string | null;
  /** By the address of the service: no token goes to another. */
  readonly logins: Readonly<Record<string, Login>>;
}

const none: Logins = { current: null, logins: {} };
const lockPatienceMs = 15_000;

/** `$XDG_CONFIG_HOME/task-service/logins.json`, below `~/.config` by default. */
export const loginFile = (environment: NodeJS.ProcessEnv): string =>
  join(environment["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "task-service", "logins.json");

/** Rejects with the file system's error for a file that cannot be read, with {@link SettingsError} for a damaged one. */
export const readLogins = async (file: string): Promise<Logins> => {
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  try {
    return content ? (JSON.parse(content) as Logins) : none;
  } catch {
    // What a parser says of it may hold a token.
    throw new SettingsError([`${file} is damaged: remove it and sign in again`]);
  }
};

const write = async (file: string, logins: Logins): Promise<void> => {
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, file);
};

/** A holder that died leaves its lock behind; nobody works on the file for so long. */
const takeLock = async (lock: string): Promise<void> => {
  for (;;) {
    const handle = await open(lock, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return undefined;
      throw error;
    });
    if (handle) return handle.close();
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > lockPatienceMs) await rm(lock, { force: true });
    else await sleep(25);
  }
};

/**
 * Replaces what is kept by what `change` makes of it; one process at a time, so a refresh token is used once. A `change`
 * that returns its argument writes nothing. Rejects as `change` does, with the file as it was.
 */
export const changeLogins = async (file: string, change: (kept: Logins) => Promise<Logins>): Promise<Logins> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  await takeLock(lock);
  try {
    const kept = await readLogins(file);
    const changed = await change(kept);
    if (changed !== kept) await write(file, changed);
    return changed;
  } finally {
    await rm(lock, { force: true });
  }
};

/** `logins` with this one for the service, which becomes the current one. */
export const withLogin = ({ logins }: Logins, serviceUrl: string, login: Login): Logins => ({
  current: serviceUrl,
  logins: { ...logins, [serviceUrl]: login },
});

/** `logins` without the one for the service. */
export const withoutLogin = ({ current, logins }: Logins, serviceUrl: string): Logins => {
  const { [serviceUrl]: _, ...others } = logins;
  return { current: current === serviceUrl ? null : current, logins: others };
};
