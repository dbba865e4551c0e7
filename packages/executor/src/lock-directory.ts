// Where the locks of executors' names lie: a directory that only this user can write to.
import { lstatSync, mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { SettingsError } from "./executor-settings.ts";

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  readonly temporary: string;
}

const ownId = process.getuid?.();

const isOwnDirectory = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (ownId === undefined || found.uid === ownId);
};

const isPrivate = (path: string): boolean =>
  isOwnDirectory(path) && (ownId === undefined || (lstatSync(path).mode & 0o077) === 0);

/** The path, made if it was missing, or undefined where that cannot be. */
const made = (path: string): string | undefined => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch {
    return undefined;
  }
};

/** Anybody can make this name in a temporary directory before us, so what is there must be ours alone. */
const inTemporary = (path: string): string => {
  made(path);
  if (isPrivate(path)) return path;
  throw new SettingsError([
    `${path} is not a directory that belongs to this user and that nobody else may enter: remove it, or set XDG_STATE_HOME to a directory of your own`,
  ]);
};

/**
 * `task-service` below `XDG_RUNTIME_DIR`, if that is ours; else below `XDG_STATE_HOME` or `~/.local/state`; where neither
 * can be written to, a directory of this user's in the temporary one. Never changes what is there. Throws
 * {@link SettingsError} when that last one may be somebody else's.
 */
export const lockDirectory = ({
  environment = process.env,
  home = homedir(),
  temporary = tmpdir(),
}: Partial<Surroundings> = {}): string => {
  const { XDG_RUNTIME_DIR: runtime, XDG_STATE_HOME: state } = environment;
  const atRuntime = runtime && isAbsolute(runtime) && isOwnDirectory(runtime) && made(join(runtime, "task-service"));
  if (atRuntime) return atRuntime;
  const stateHome = state && isAbsolute(state) ? state : join(home, ".local", "state");
  return made(join(stateHome, "task-service")) ?? inTemporary(join(temporary, `task-service-${ownId ?? "user"}`));
};
