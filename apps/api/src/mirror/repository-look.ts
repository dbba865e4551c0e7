// One look at a repository that tasks are linked to (D-34): what changed since the last one, and what no list would tell.
import type { Repository } from "../git/git-address.ts";
import type { IssueListing } from "../git/git-host-issues.ts";
import { writeUnreadable } from "./git-state-queries.ts";
import { type MirrorDeps, writeEach, writeIssues } from "./issue-reads.ts";
import { findTasksUnconfirmedSince, keyOf, type RepositoryKey } from "./linked-task-queries.ts";
import {
  beginLook,
  type MirroredRepository,
  noteLook,
  noteRead,
  noteUnreadable,
} from "./mirrored-repository-queries.ts";
import { askAll } from "./question-queries.ts";
import { type RoundLimits, readSingly } from "./single-reads.ts";

/** Longer than an answer may take: what is committed on the host while it makes a list is in the next one. */
const overlapMs = 60_000;

const newestOf = ({ issues }: IssueListing): string | undefined =>
  [...issues.values()]
    .flatMap(({ updated_at }) => updated_at ?? [])
    .sort()
    .at(-1);

/** Every issue of it is unreadable too, unless something was heard of it since. */
const giveUp = async (deps: MirrorDeps, key: RepositoryKey, begunAt: string): Promise<void> => {
  const { sql } = deps;
  const since = await noteUnreadable(sql, key, begunAt);
  const tasks = await findTasksUnconfirmedSince(sql, key, since);
  await writeEach(deps, tasks, (task) => writeUnreadable(sql, task, since));
};

/** Writes what changed, and asks about what a list cannot tell; false if the repository is unreadable. */
const followChanges = async (
  deps: MirrorDeps,
  repository: Repository,
  known: MirroredRepository | undefined,
  begunAt: string,
): Promise<boolean> => {
  const { sql, host } = deps;
  const key = keyOf(repository);
  if (!known?.read_to) {
    const found = await host.probe(repository);
    if (found === "unreadable") return false;
    await noteRead(sql, key, undefined, found.at ?? null);
    await noteLook(sql, key, undefined);
    return true;
  }
  const since = new Date(Date.parse(known.read_to) - overlapMs).toISOString();
  const listing = await host.listIssues(repository, { since });
  if (listing === "unreadable") return false;
  const at = listing.at ?? newestOf(listing);
  await writeIssues(deps, repository, listing.issues, { begunAt, at: at ?? null }, known);
  // It was unreadable, or the host's clock was ahead: what happened meanwhile may be in no list.
  if (known.unreadable_since !== null || (at !== undefined && at < since)) await askAll(sql, key);
  await noteLook(sql, key, listing.isWhole ? at : undefined);
  return true;
};

/**
 * Looks once, as far as `limits` allow. Throws GitHostError if the host gave no usable answer, which changes nothing it
 * did not tell.
 */
export const lookAtRepository = async (
  deps: MirrorDeps,
  repository: Repository,
  limits: RoundLimits,
): Promise<void> => {
  const key = keyOf(repository);
  const { begunAt, known } = await beginLook(deps.sql, key);
  const isReadable = await followChanges(deps, repository, known, begunAt);
  if (!isReadable) return giveUp(deps, key, begunAt);
  if (!limits.signal.aborted) await readSingly(deps, repository, known, begunAt, limits);
};
