// Reads an organization's personas from its repository at one commit: only files whose blob changed (D-31).
import type { SyncFinding } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import type { DirectoryEntry, GitHost } from "../git/git-host-client.ts";
import type { KnownPersona, PersonaFile } from "./agent-type-queries.ts";
import { maxFileBytes, maxPersonas, readPersona, slugOfFile } from "./persona.ts";

const folder = "personas";
const parallelReads = 8;

export interface Fleet {
  /** Files to insert or update. */
  changed: PersonaFile[];
  /** Slugs that stay or become active, the changed ones included. */
  present: string[];
  errors: SyncFinding[];
  warnings: SyncFinding[];
}

interface Candidate {
  slug: string;
  path: string;
  sha: string;
}

const kindNames: Record<string, string> = { dir: "a folder", symlink: "a symbolic link", submodule: "a submodule" };

/** Sorts a listing into files to read and entries to report; README.md and hidden files are neither. */
const sortEntries = (entries: readonly DirectoryEntry[]): { candidates: Candidate[]; errors: SyncFinding[] } => {
  const candidates: Candidate[] = [];
  const errors: SyncFinding[] = [];
  for (const { name, type, sha, size } of entries) {
    const path = `${folder}/${name}`;
    const slug = slugOfFile(name);
    const report = (detail: string) => errors.push({ path, line: null, detail });
    if (name === "README.md" || name.startsWith(".")) continue;
    if (type !== "file") report(`This is ${kindNames[type] ?? "no file"}; a persona must be a plain file.`);
    else if (slug === undefined)
      report("The name must be lower-case letters, digits, `.`, `_` or `-`, and end with `.md`.");
    else if (size > maxFileBytes) report(`The file is larger than ${maxFileBytes / 1024} KiB.`);
    else candidates.push({ slug, path, sha });
  }
  const surplus = candidates.splice(maxPersonas);
  errors.push(...surplus.map(({ path }) => ({ path, line: null, detail: `Only ${maxPersonas} personas are read.` })));
  return { candidates, errors };
};

/** Applies `read` to all items, some at a time, keeping their order. The first failure ends it. */
const mapInParallel = async <T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await read(item);
  };
  await Promise.all(Array.from({ length: parallelReads }, worker));
  return results;
};

/**
 * `known` is what is stored from this repository, `before` the warnings of the last run: they are kept for
 * files that did not change. A file that cannot be parsed keeps its last good version. Rejects with
 * GitHostError if any read fails; then nothing may be concluded.
 */
export const readFleet = async (
  gitHost: GitHost,
  repository: Repository,
  commit: string,
  known: readonly KnownPersona[],
  before: readonly SyncFinding[],
): Promise<Fleet> => {
  const { candidates, errors } = sortEntries(await gitHost.listDirectory(repository, folder, commit));
  const knownBlobs = new Map(known.map(({ slug, blob_sha }) => [slug, blob_sha]));
  const toRead = candidates.filter(({ slug, sha }) => knownBlobs.get(slug) !== sha);
  const read = new Set(toRead.map(({ path }) => path));

  const readings = await mapInParallel(toRead, async ({ slug, path, sha }) => {
    const { persona, ...findings } = readPersona(path, await gitHost.readFile(repository, path, commit));
    return { ...findings, file: persona && { ...persona, slug, path, blob_sha: sha } };
  });

  const unchanged = new Set(candidates.filter(({ path }) => !read.has(path)).map(({ path }) => path));
  return {
    changed: readings.flatMap(({ file }) => file ?? []),
    present: candidates.map(({ slug }) => slug),
    errors: [...errors, ...readings.flatMap((reading) => reading.errors)],
    warnings: [...before.filter(({ path }) => unchanged.has(path)), ...readings.flatMap((reading) => reading.warnings)],
  };
};
