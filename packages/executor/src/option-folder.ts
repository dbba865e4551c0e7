// A folder that an option names, made at the start so that what is wrong with it is told before a task is taken.
import { mkdir } from "node:fs/promises";
import { SettingsError } from "./executor-settings.ts";

/** Makes it if it is missing, for this user only if `isPrivate`. Rejects with {@link SettingsError}, which says `remedy`. */
export const makeFolder = async (path: string, remedy: string, isPrivate = false): Promise<void> => {
  await mkdir(path, { recursive: true, ...(isPrivate && { mode: 0o700 }) }).catch((error: Error) => {
    throw new SettingsError([`${path} cannot be made (${error.message}): ${remedy}`]);
  });
};
