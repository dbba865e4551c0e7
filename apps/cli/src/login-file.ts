// What `login` keeps: one file below the user's configuration folder, for its owner alone (mode 600).
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError, tryLock } from "@task-service/executor";

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
/** Twice what a change may take: discovery and tokens, 15 s each (provider-requests). */
const maxLockAgeMs = 60_000;
const lookMs = 25;

/** `$XDG_CONFIG_HOME/task-service/logins.json`, below `~/.config` by default. */
export const loginFile = (environment: NodeJS.ProcessEnv): string =>
  join(environment["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "task-service", "logins.json");

/** The content, or nothing where there is no file. Rejects for one that is not for its owner alone. */
const privateText = async (file: string): Promise<string> => {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return "";
  try {
    const mode = (await handle.stat()).mode & 0o777;
    // Windows has no such modes.
    if (mode & 0o077 && process.platform !== "win32") {
      const command = `chmod 600 '${file.replaceAll("'", "'\\''")}'`;
      throw new SettingsError([
        `${file} can be read by others (mode ${mode.toString(8)}): make it yours alone with \`${command}\``,
      ]);
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};

/**
 * Rejects with the file system's error for a file that cannot be read, with {@link SettingsError} for a damaged one or
 * one that others may read.
 */
export const readLogins = async (file: string): Promise<Logins> => {
  const content = await privateText(file);
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

/** Resolves to what gives the lock back. */
const takeLock = async (path: string): Promise<() => void> => {
  for (;;) {
    const { unlock } = tryLock(path, maxLockAgeMs);
    if (unlock) return unlock;
    await sleep(lookMs);
  }
};

/**
 * Replaces what is kept by what `change` makes of it; one process at a time, so a refresh token is used once. A `change`
 * that returns its argument writes nothing. Rejects as `change` does, with the file as it was.
 */
export const changeLogins = async (file: string, change: (kept: Logins) => Promise<Logins>): Promise<Logins> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await takeLock(`${file}.lock`);
  try {
    const kept = await readLogins(file);
    const changed = await change(kept);
    if (changed !== kept) await write(file, changed);
    return changed;
  } finally {
    unlock();
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
