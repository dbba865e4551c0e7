// Issues that no list of changes tells of, read one by one (D-34): asked about, unknown, and confirmed long ago.
import type { Repository } from "../git/git-address.ts";
import { GitHostError } from "../git/git-host-requests.ts";
import { type MirrorDeps, readIssueNow, writeIssues } from "./issue-reads.ts";
import { databaseTime, keyOf, listNumbersToRead } from "./linked-task-queries.ts";
import type { MirroredRepository } from "./mirrored-repository-queries.ts";
import { shuffled } from "./shuffled.ts";

export interface RoundLimits {
  /** What was confirmed within this time is not read again without a reason. */
  confirmedForMs: number;
  /** How many issues the round may still confirm; counted down. */
  confirmations: number;
  /** Ends the round before its next request. */
  signal: AbortSignal;
}

/** Of one repository in a round. */
const confirmedAtATime = 10;
/** Tasks looked at to find them: where ten are always refused an answer, others get their turn. */
const confirmedAmong = 100;
/** In each group. One issue that the host cannot answer for holds up no other; a host that is out of order is left alone. */
const failuresBorne = 3;
/** From so many on, lists of all issues are read first, a page for every ten of them at the most. */
const singlyAtMost = 50;
const numbersForAPage = 10;

/** Reads these numbers out of lists as far as they go; resolves to those found. */
const readListed = async (
  deps: MirrorDeps,
  repository: Repository,
  wanted: ReadonlySet<number>,
  known: MirroredRepository | undefined,
): Promise<ReadonlySet<number>> => {
  const begunAt = await databaseTime(deps.sql);
  const listing = await deps.host.listIssues(repository, { maxPages: Math.ceil(wanted.size / numbersForAPage) });
  if (listing === "unreadable") return new Set();
  const found = new Map([...listing.issues].filter(([number]) => wanted.has(number)));
  await writeIssues(deps, repository, found, { begunAt, at: listing.at ?? null }, known);
  return new Set(found.keys());
};

/**
 * Reads what must be read by itself, as far as `limits` allow. Throws the first GitHostError when all the rest was tried,
 * but for what is left alone after three in a group.
 */
export const readSingly = async (
  deps: MirrorDeps,
  repository: Repository,
  known: MirroredRepository | undefined,
  begunAt: string,
  limits: RoundLimits,
): Promise<void> => {
  const { signal } = limits;
  const before = new Date(Date.parse(begunAt) - limits.confirmedForMs).toISOString();
  const limit = limits.confirmations > 0 ? confirmedAmong : 0;
  const { asked, unknown, old } = await listNumbersToRead(deps.sql, keyOf(repository), { before, limit });
  const confirmed = shuffled(old).slice(0, Math.min(confirmedAtATime, limits.confirmations));
  limits.confirmations -= confirmed.length;
  const all = new Set([...asked, ...unknown, ...confirmed]);
  const done = new Set(all.size > singlyAtMost ? await readListed(deps, repository, all, known) : []);
  let failure: GitHostError | undefined;
  for (const group of [asked, unknown, confirmed]) {
    let failures = 0;
    for (const number of shuffled(group)) {
      if (signal.aborted) return;
      if (done.has(number)) continue;
      done.add(number);
      try {
        await readIssueNow(deps, repository, number, { known });
      } catch (error) {
        if (!(error instanceof GitHostError)) throw error;
        failure ??= error;
        if (++failures === failuresBorne) break;
      }
    }
  }
  if (failure) throw failure;
};
