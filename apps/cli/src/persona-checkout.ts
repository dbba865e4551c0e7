// Reads the personas of a checkout as the service reads a commit (D-31); symbolic links inside it are never followed.
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { AgentTypeSummary, SyncFinding } from "@task-service/contract";
import { type ListedEntry, maxFileBytes, personasFolder, readPersona, sortEntries } from "@task-service/personas";

export interface RepositoryReading {
  /** What would become agent types, by slug. */
  personas: Pick<AgentTypeSummary, "slug" | "name" | "description">[];
  errors: SyncFinding[];
  warnings: SyncFinding[];
}

const entryType = (entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): string => {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "dir";
  return entry.isSymbolicLink() ? "symlink" : "other";
};

const typeAt = (path: string): Promise<string | undefined> =>
  lstat(path)
    .then(entryType)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });

/** The repository that `directory` is, or whose folder `personas` it is; undefined if it is neither. */
export const findRepository = async (directory: string): Promise<string | undefined> => {
  const isNamedSo = basename(directory) === personasFolder;
  if (isNamedSo && (await typeAt(join(directory, ".git"))) === undefined) return dirname(directory);
  return (await typeAt(join(directory, personasFolder))) === undefined ? undefined : directory;
};

const listEntries = async (folder: string): Promise<ListedEntry[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const type = entryType(entry);
      // A name that is not UTF-8 leads nowhere; it is refused for what it is.
      const found = await lstat(join(folder, entry.name)).catch(() => undefined);
      return { name: entry.name, type, size: found?.size ?? 0 };
    }),
  );
};

/** The first bytes of a file, one more than a persona may have; rejects if it has become a link meanwhile. */
const readBytes = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return buffer(file.createReadStream({ end: maxFileBytes }));
};

/** Rejects with the file system's error if the folder or one of its files cannot be read. */
export const readRepository = async (repository: string): Promise<RepositoryReading> => {
  const folder = join(repository, personasFolder);
  if ((await typeAt(folder)) !== "dir") {
    const detail = "This must be a plain folder with the persona files in it; the service can read nothing else.";
    return { personas: [], errors: [{ path: personasFolder, line: null, detail }], warnings: [] };
  }
  const { candidates, errors } = sortEntries(await listEntries(folder));
  const reading: RepositoryReading = { personas: [], errors, warnings: [] };
  for (const { slug, path } of candidates) {
    const { persona, ...found } = readPersona(path, await readBytes(join(repository, path)));
    if (persona) reading.personas.push({ slug, name: persona.name, description: persona.description });
    reading.errors.push(...found.errors);
    reading.warnings.push(...found.warnings);
  }
  return reading;
};
