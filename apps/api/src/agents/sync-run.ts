// One run of the synchronization of an organization that is held: what was found is written, or the hold given back (D-31).
import { isDeepStrictEqual } from "node:util";
import { appendEvent, serviceActor } from "../events/event-queries.ts";
import { RetryTransaction, type Sql, transact } from "../platform/database.ts";
import { unlessAborted } from "../platform/unless-aborted.ts";
import { markPresent, upsertPersonas } from "./agent-type-queries.ts";
import { type Finding, failure, lookAtRepository, type SyncDeps } from "./sync-look.ts";
import { type BegunRun, endRun, extendHold, releaseHold, type SyncResult, stillHolds } from "./sync-queries.ts";

export interface RunDeps extends SyncDeps {
  /** The hold ends this long after its last sign of life, which is given three times as often. */
  holdMs: number;
}

const resultOf = ({ status, message, errors, warnings, commit }: SyncResult): SyncResult => ({
  status,
  message,
  errors,
  warnings,
  commit,
});

/**
 * Writes what a run found, unless another run has taken the organization over meanwhile or its repository is another
 * one now: then false. An event tells of a run that something came of.
 */
const conclude = async (
  sql: Sql,
  organizationId: string,
  holder: string,
  { owner, repo, ...last }: BegunRun,
  { fleet, isMissing, isUnchanged, ...found }: Finding,
): Promise<boolean> => {
  const repository = { owner, repo };
  const isNews = !isDeepStrictEqual(resultOf(found), resultOf(last));
  const end = {
    repository,
    isMissing,
    isConfirmed: isUnchanged === true || fleet !== undefined,
    ...(isNews && { result: resultOf(found) }),
  };
  if (!fleet && !isNews) return endRun(sql, organizationId, holder, end);

  return transact(sql, async (transaction) => {
    if (!(await stillHolds(transaction, organizationId, holder, repository))) return false;
    const changed = fleet?.changed ?? [];
    await upsertPersonas(transaction, organizationId, repository, found.commit ?? "", changed);
    const moved = fleet ? await markPresent(transaction, organizationId, fleet) : 0;
    if (!(await endRun(transaction, organizationId, holder, end))) throw new RetryTransaction("another repository");
    if (!isNews && changed.length === 0 && moved === 0) return true;
    const data = { status: found.status, commit: found.commit, changed: changed.map(({ slug }) => slug) };
    await appendEvent(transaction, {
      type: "agents.synced",
      organization_id: organizationId,
      actor: serviceActor,
      data,
    });
    return true;
  });
};

/**
 * Does the run that `holder` has begun; tells whether it was carried to its end. If it was not, because of `signal` or
 * because the organization has another holder or repository by now, nothing is written and the hold is given back.
 * What cannot be written is a failed run too; rejects if not even that can be written.
 */
export const runSync = async (
  deps: RunDeps,
  organizationId: string,
  holder: string,
  begun: BegunRun,
  signal: AbortSignal,
): Promise<boolean> => {
  const { sql, log, holdMs } = deps;
  const alive = setInterval(() => {
    extendHold(sql, organizationId, holder, holdMs).catch((error) =>
      log.warn({ err: error }, "a synchronization's hold was not extended"),
    );
  }, holdMs / 3);
  const write = async (finding: Finding): Promise<boolean> => {
    if (!(await conclude(sql, organizationId, holder, begun, finding))) return false;
    const line = { organization_id: organizationId, status: finding.status };
    log[finding.isUnchanged ? "debug" : "info"](line, "agents synchronized");
    return true;
  };
  const fail = (error: unknown) => failure(error, begun, log);
  let isConcluded = false;
  try {
    const finding = await unlessAborted(signal, lookAtRepository(deps, organizationId, begun).catch(fail));
    isConcluded = finding !== undefined && (await write(finding).catch((error) => write(fail(error))));
    return isConcluded;
  } finally {
    clearInterval(alive);
    if (!isConcluded) await releaseHold(sql, organizationId, holder).catch(() => {});
  }
};
