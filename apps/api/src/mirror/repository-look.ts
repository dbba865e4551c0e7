// One look at a repository that tasks are linked to (D-34): what changed since the last one, and what no list would tell.
import type { Repository } from "../git/git-address.ts";
import type { IssueListing } from "../git/git-host-issues.ts";
import { GitHostError } from "../git/git-host-requests.ts";
import { writeUnreadable } from "./git-state-queries.ts";
import { type MirrorDeps, readIssueNow, writeIssues } from "./issue-reads.ts";
import {
  databaseTime,
  findTasksUnconfirmedSince,
  keyOf,
  listNumbersConfirmedBefore,
  listUnknownNumbers,
  listUnreadableNumbers,
  type RepositoryKey,
} from "./linked-task-queries.ts";
import {
  findMirrored,
  type MirroredRepository,
  noteLook,
  noteRead,
  noteUnreadable,
} from "./mirrored-repository-queries.ts";

/** Longer than an answer may take: what is committed on the host while it makes a list is in the next one. */
const overlapMs = 60_000;
/** Tasks whose issues are read one by one because they were confirmed longest ago: a list never tells of deleted ones. */
const confirmedAtATime = 10;
/** One issue that the host cannot answer for holds up no other; a host that is out of order is left alone. */
const failuresBorne = 3;

const earlier = (instant: string, ms: number): string => new Date(Date.parse(instant) - ms).toISOString();

const newestOf = ({ issues }: IssueListing): string | undefined =>
  [...issues.values()]
    .flatMap(({ updated_at }) => updated_at ?? [])
    .sort()
    .at(-1);

/** Every issue of it is unreadable too, unless something was heard of it since. */
const giveUp = async ({ sql }: MirrorDeps, key: RepositoryKey, begunAt: string): Promise<void> => {
  const since = await noteUnreadable(sql, key, begunAt);
  for (const task of await findTasksUnconfirmedSince(sql, key, since)) await writeUnreadable(sql, task, since);
};

/** Writes what changed and returns the numbers to be read by themselves; undefined if the repository is unreadable. */
const followChanges = async (
  deps: MirrorDeps,
  repository: Repository,
  known: MirroredRepository | undefined,
  begunAt: string,
): Promise<Iterable<number> | undefined> => {
  const { sql, host } = deps;
  const key = keyOf(repository);
  if (!known?.read_to) {
    const found = await host.probe(repository);
    if (found === "unreadable") return undefined;
    await noteRead(sql, key, undefined, found.at ?? null);
    await noteLook(sql, key, undefined);
    return [];
  }
  const listing = await host.listIssues(repository, earlier(known.read_to, overlapMs));
  if (listing === "unreadable") return undefined;
  const at = listing.at ?? newestOf(listing);
  const open = await writeIssues(deps, repository, listing.issues, { begunAt, at: at ?? null });
  await noteLook(sql, key, listing.isWhole ? at : undefined);
  return open;
};

const readEach = async (deps: MirrorDeps, repository: Repository, numbers: Iterable<number>): Promise<void> => {
  const failures: GitHostError[] = [];
  for (const number of new Set(numbers)) {
    try {
      await readIssueNow(deps, repository, number);
    } catch (error) {
      if (!(error instanceof GitHostError)) throw error;
      failures.push(error);
      if (failures.length === failuresBorne) break;
    }
  }
  if (failures[0]) throw failures[0];
};

/**
 * Looks once. What was confirmed within `confirmedForMs` is not read by itself. Throws GitHostError if the host gave no
 * usable answer, which changes nothing it did not tell.
 */
export const lookAtRepository = async (
  deps: MirrorDeps,
  repository: Repository,
  confirmedForMs: number,
): Promise<void> => {
  const { sql } = deps;
  const key = keyOf(repository);
  const begunAt = await databaseTime(sql);
  const known = await findMirrored(sql, key);
  const open = await followChanges(deps, repository, known, begunAt);
  if (open === undefined) return giveUp(deps, key, begunAt);
  const isBack = known?.unreadable_since != null;
  // What deliveries told of a repository that was never read may be old by now, and no list goes back so far.
  const toConfirm = known?.read_to
    ? await listNumbersConfirmedBefore(sql, key, earlier(begunAt, confirmedForMs), confirmedAtATime)
    : await listNumbersConfirmedBefore(sql, key, begunAt);
  await readEach(deps, repository, [
    ...open,
    ...(await listUnknownNumbers(sql, key)),
    ...(isBack ? await listUnreadableNumbers(sql, key) : []),
    ...toConfirm,
  ]);
};
