// The filled database, kept between runs where that is asked for: filled again when its size or a migration has changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fillDatabase } from "../filling/database-filling.ts";
import { type LoggingPostgres, startLoggingPostgres } from "./logging-postgres.ts";

const folders = ["../../apps/api/migrations", "../filling"].map((folder) => join(import.meta.dirname, folder));

/** Of everything that decides what a filled database looks like. */
const fingerprintOf = (tasks: number): string => {
  const hash = createHash("sha256").update(String(tasks));
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex");
};

export interface FilledServer extends LoggingPostgres {
  /** For what is known of the data; goes with it. */
  readonly notesFile: string;
}

export interface FilledServerOptions {
  /** Its data is put there. */
  folder: string;
  tasks: number;
  settings: Record<string, string>;
  say: (text: string) => void;
  defer: (work: () => Promise<unknown>) => void;
}

export const startFilledServer = async ({
  folder,
  tasks,
  settings,
  say,
  defer,
}: FilledServerOptions): Promise<FilledServer> => {
  await mkdir(folder, { recursive: true });
  const dataDir = join(folder, `lists-${tasks}`);
  // Says that the data beside it is complete, and of what it is.
  const marker = `${dataDir}.filled`;
  const notesFile = `${dataDir}.json`;
  const fingerprint = fingerprintOf(tasks);
  const isFilled = existsSync(marker) && readFileSync(marker, "utf8") === fingerprint;
  if (!isFilled) for (const path of [marker, notesFile, dataDir]) await rm(path, { recursive: true, force: true });
  const server = await startLoggingPostgres(dataDir, settings);
  defer(server.stop);
  if (isFilled) say(`${tasks} tasks are there already`);
  else {
    say(`filling ${tasks} tasks`);
    await fillDatabase(server.url, tasks, say);
    await writeFile(marker, fingerprint);
  }
  return { ...server, notesFile };
};
