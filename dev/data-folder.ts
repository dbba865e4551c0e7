// The folder `npm start` keeps its data in: marked as its own, emptied only of what it made.
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { postgresOwner } from "./embedded-postgres.ts";

export interface DataFolder {
  postgres: string;
  identityProvider: string;
  /** A file: settings for `npm run executor`. */
  executor: string;
}

const marker = "task-service-data";

/** Makes the folder if need be; with `isReset` what an earlier start made in it is removed first. */
export const prepareDataFolder = async (dataDir: string, isReset: boolean): Promise<DataFolder> => {
  const folder = {
    postgres: join(dataDir, "postgres"),
    identityProvider: join(dataDir, "identity-provider"),
    executor: join(dataDir, "executor.env"),
  };
  const made = Object.values(folder);
  if (!existsSync(join(dataDir, marker)) && made.some(existsSync))
    throw new Error(`${dataDir} is not a data folder of the task service: set DATA_DIR to another one.`);
  if (isReset) {
    const owner = await postgresOwner(folder.postgres);
    if (owner) throw new Error(`The data in ${dataDir} is in use by process ${owner}: nothing was deleted.`);
    for (const path of made) await rm(path, { recursive: true, force: true });
  }
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, marker), "Made by npm start; npm start -- --reset empties it.\n");
  return folder;
};
