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
  /** Slugs of files that were refused: active or inactive, they stay what they are. */
  refused: string[];
  errors: SyncFinding[];
  warnings: SyncFinding[];
}

type Candidate = PersonaEntry<DirectoryEntry>;

/**
 * `known` is what is stored from this repository, `before` what the last run found: its warnings are kept for files
 * that did not change. A file that was away or refused meanwhile is read for its warnings alone. A file that cannot
 * be parsed keeps its last good version, and brings none back. Rejects with GitHostError if any read fails; then nothing may be concluded.
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
  const refusedBefore = new Set(before.errors.map(({ path }) => path));
  const isStored = ({ slug, sha }: Candidate): boolean => stored.get(slug)?.blob_sha === sha;
  const isSettled = (one: Candidate): boolean =>
    isStored(one) && stored.get(one.slug)?.is_active === true && !refusedBefore.has(one.path);
  const settled = new Set(candidates.filter(isSettled).map(({ path }) => path));

  const toRead = candidates.filter(({ path }) => !settled.has(path));
  const readings = await mapInParallel(parallelReads, toRead, async (candidate) => {
    const { slug, path, sha } = candidate;
    const { persona, ...findings } = readPersona(path, await gitHost.readFile(repository, path, commit));
    const file = persona && { ...persona, slug, path, blob_sha: sha };
    return { ...findings, slug, file, isChanged: !isStored(candidate) };
  });
  const refused = new Set([...unread, ...readings.flatMap(({ slug, file }) => (file ? [] : [slug]))]);

  return {
    changed: readings.flatMap(({ file, isChanged }) => (file && isChanged ? [file] : [])),
    present: candidates.map(({ slug }) => slug).filter((slug) => !refused.has(slug)),
    refused: [...refused],
    errors: [...errors, ...readings.flatMap((reading) => reading.errors)],
    warnings: [
      ...before.warnings.filter(({ path }) => settled.has(path)),
      ...readings.flatMap((reading) => reading.warnings),
    ],
  };
};
