// Reads an organization's personas from its repository at one commit: only files whose blob changed (D-31).
import type { SyncFinding } from "@task-service/contract";
import { type PersonaEntry, personasFolder, readPersona, sortEntries } from "@task-service/personas";
import type { Repository } from "../git/git-address.ts";
import type { DirectoryEntry, GitHost } from "../git/git-host-client.ts";
import { mapInParallel } from "../platform/parallel.ts";
import type { KnownPersona, PersonaFile } from "./agent-type-queries.ts";

const parallelReads = 8;

export interface Fleet {
  /** Files to insert or update. */
  changed: PersonaFile[];
  /** Slugs that stay or become active, the changed ones included. */
  present: string[];
  errors: SyncFinding[];
  warnings: SyncFinding[];
}

type Candidate = PersonaEntry<DirectoryEntry>;

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
  const { candidates, unread, errors } = sortEntries(await gitHost.listDirectory(repository, personasFolder, commit));
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
    present: [...candidates.map(({ slug }) => slug), ...unread],
    errors: [...errors, ...readings.flatMap((reading) => reading.errors)],
    warnings: [
      ...before.warnings.filter(({ path }) => settled.has(path)),
      ...readings.flatMap((reading) => reading.warnings),
    ],
  };
};
