// Reads an organization's personas from its repository at one commit: only files whose blob changed (D-31).
import type { SyncFinding } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import type { DirectoryEntry, GitHost } from "../git/git-host-client.ts";
import { mapInParallel } from "../platform/parallel.ts";
import type { KnownPersona, PersonaFile } from "./agent-type-queries.ts";
import { maxFileBytes, maxPersonas, readPersona, slugOfFile } from "./persona.ts";

/** Where an agents repository keeps its personas. */
export const personasFolder = "personas";
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

const kindNames: Record<string, string> = {
  dir: "a folder",
  symlink: "a symbolic link",
  submodule: "a submodule",
};

interface SortedEntries {
  candidates: Candidate[];
  /** Slugs of files too large to be read: what is stored of them stays. */
  tooLarge: string[];
  errors: SyncFinding[];
}

/** Sorts a listing into files to read and entries to report; README.md and hidden files are neither. */
const sortEntries = (entries: readonly DirectoryEntry[]): SortedEntries => {
  const candidates: Candidate[] = [];
  const tooLarge: string[] = [];
  const errors: SyncFinding[] = [];
  for (const { name, type, sha, size } of entries) {
    const path = `${personasFolder}/${name}`;
    const slug = slugOfFile(name);
    const report = (detail: string) => errors.push({ path, line: null, detail });
    if (name === "README.md" || name.startsWith(".")) continue;
    if (type !== "file") report(`This is ${kindNames[type] ?? "no file"}; a persona must be a plain file.`);
    else if (slug === undefined)
      report("The name must be lower-case letters, digits, `.`, `_` or `-`, and end with `.md`.");
    else if (size > maxFileBytes) {
      tooLarge.push(slug);
      report(`The file is larger than ${maxFileBytes / 1024} KiB.`);
    } else candidates.push({ slug, path, sha });
  }
  const surplus = candidates.splice(maxPersonas);
  errors.push(...surplus.map(({ path }) => ({ path, line: null, detail: `Only ${maxPersonas} personas are read.` })));
  return { candidates, tooLarge, errors };
};

/**
 * `known` is what is stored from this repository, `before` what the last run found: its warnings are kept for files
 * that did not change. A file that was away or refused meanwhile is read for its warnings alone. A file that cannot
 * be parsed keeps its last good version. Rejects with GitHostError if any read fails; then nothing may be concluded.
 */
export const readFleet = async (
  gitHost: GitHost,
  repository: Repository,
  commit: string,
  known: readonly KnownPersona[],
  before: Pick<Fleet, "errors" | "warnings">,
): Promise<Fleet> => {
  const { candidates, tooLarge, errors } = sortEntries(await gitHost.listDirectory(repository, personasFolder, commit));
  const stored = new Map(known.map((persona) => [persona.slug, persona]));
  const refused = new Set(before.errors.map(({ path }) => path));
  const isStored = ({ slug, sha }: Candidate): boolean => stored.get(slug)?.blob_sha === sha;
  const isSettled = (one: Candidate): boolean =>
    isStored(one) && stored.get(one.slug)?.is_active === true && !refused.has(one.path);
  const settled = new Set(candidates.filter(isSettled).map(({ path }) => path));

  const toRead = candidates.filter(({ path }) => !settled.has(path));
  const readings = await mapInParallel(parallelReads, toRead, async (candidate) => {
    const { slug, path, sha } = candidate;
    const { persona, ...findings } = readPersona(path, await gitHost.readFile(repository, path, commit));
    return { ...findings, changed: persona && !isStored(candidate) ? [{ ...persona, slug, path, blob_sha: sha }] : [] };
  });

  return {
    changed: readings.flatMap(({ changed }) => changed),
    present: [...candidates.map(({ slug }) => slug), ...tooLarge],
    errors: [...errors, ...readings.flatMap((reading) => reading.errors)],
    warnings: [
      ...before.warnings.filter(({ path }) => settled.has(path)),
      ...readings.flatMap((reading) => reading.warnings),
    ],
  };
};
