// Makes the agent types of an organization equal to its agents repository (D-31): one run at a time, nothing lost on a failure.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { appendEvent, serviceActor } from "../events/event-queries.ts";
import type { Repository } from "../git/git-address.ts";
import type { GitHost } from "../git/git-host-client.ts";
import { GitHostError } from "../git/git-host-requests.ts";
import { findRepository, listOrganizationIds } from "../organizations/organization-queries.ts";
import { type Sql, transact } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { listKnownPersonas, markPresent, markSeen, upsertPersonas } from "./agent-type-queries.ts";
import { type Fleet, personasFolder, readFleet } from "./fleet-reading.ts";
import {
  beginRun,
  endRun,
  extendHold,
  isServed,
  type LastSync,
  type RunEnd,
  requestRun,
  stillHolds,
} from "./sync-queries.ts";

export interface SyncDeps {
  sql: Sql;
  gitHost: GitHost;
  log: Logger;
}

const extendEveryMs = 20_000;
const lookAgainMs = 200;
const giveUpAfterMs = 10 * 60_000;
const organizationsAtOnce = 4;

const emptyFleet: Fleet = { changed: [], present: [], errors: [], warnings: [] };

interface Finding extends Omit<RunEnd, "repository"> {
  /** What the agent types should become; undefined leaves them as they are. */
  fleet?: Fleet;
  isUnchanged?: boolean;
}

const notConfigured = ({ owner, repo }: Repository, last: LastSync): Finding => {
  const detail =
    "The repository is not there, or the service may not read it; its agent types become inactive after 15 minutes.";
  const isWaiting = last.has_active && !last.is_long_missing;
  return {
    status: "not_configured",
    message: `No agent types are configured: create the repository ${repo} under ${owner} on the git host to add some.`,
    errors: [],
    // The files' own warnings are kept for when they are back, unchanged.
    warnings: isWaiting
      ? [...last.warnings.filter(({ path }) => path !== personasFolder), { path: personasFolder, line: null, detail }]
      : [],
    commit: null,
    isMissing: true,
    ...(!isWaiting && { fleet: emptyFleet }),
  };
};

const look = async (
  { sql, gitHost }: SyncDeps,
  organizationId: string,
  repository: Repository,
  last: LastSync,
): Promise<Finding> => {
  const head = await gitHost.headCommit(repository);
  if (head === "missing") return notConfigured(repository, last);
  if (head === "empty") {
    return { status: "ok", message: null, errors: [], warnings: [], commit: null, isMissing: false, fleet: emptyFleet };
  }
  const { status, message, errors, warnings } = last;
  if (head.commit === last.commit && last.repository === `${repository.owner}/${repository.repo}`) {
    return { status, message, errors, warnings, commit: head.commit, isMissing: false, isUnchanged: true };
  }
  const known = await listKnownPersonas(sql, organizationId, repository);
  const fleet = await readFleet(gitHost, repository, head.commit, known, last);
  const isWhole = fleet.errors.length === 0;
  return {
    status: isWhole ? "ok" : "partial",
    message: isWhole ? null : "Some files were refused; their last good versions stay in use.",
    errors: fleet.errors,
    warnings: fleet.warnings,
    commit: head.commit,
    isMissing: false,
    fleet,
  };
};

const failure = (error: unknown, last: LastSync, log: Logger): Finding => {
  if (!(error instanceof GitHostError)) log.error({ err: error }, "synchronization failed");
  const message = error instanceof GitHostError ? error.message : "Something went wrong here; it has been logged.";
  return { status: "failed", message, errors: last.errors, warnings: last.warnings, commit: null, isMissing: false };
};

/** Writes what a run found, unless another run has taken the organization over meanwhile. */
const conclude = (
  sql: Sql,
  organizationId: string,
  holder: string,
  repository: Repository,
  finding: Finding,
): Promise<void> =>
  transact(sql, async (transaction) => {
    if (!(await stillHolds(transaction, organizationId, holder))) return;
    const { fleet, isUnchanged, ...end } = finding;
    if (isUnchanged) await markSeen(transaction, organizationId);
    if (fleet) {
      await upsertPersonas(transaction, organizationId, repository, end.commit ?? "", fleet.changed);
      await markPresent(transaction, organizationId, fleet.present);
    }
    await endRun(transaction, organizationId, holder, { ...end, repository });
    if (isUnchanged) return;
    const data = { status: end.status, commit: end.commit, changed: fleet?.changed.map(({ slug }) => slug) ?? [] };
    await appendEvent(transaction, {
      type: "agents.synced",
      organization_id: organizationId,
      actor: serviceActor,
      data,
    });
  });

const run = async (deps: SyncDeps, organizationId: string, holder: string, last: LastSync): Promise<void> => {
  const { sql, log } = deps;
  const repository = await findRepository(sql, organizationId);
  if (!repository) return;
  const alive = setInterval(() => {
    extendHold(sql, organizationId, holder).catch((error) =>
      log.warn({ err: error }, "a synchronization's hold was not extended"),
    );
  }, extendEveryMs);
  try {
    const finding = await look(deps, organizationId, repository, last).catch((error) => failure(error, last, log));
    await conclude(sql, organizationId, holder, repository, finding);
    log.info({ organization_id: organizationId, status: finding.status }, "agents synchronized");
  } finally {
    clearInterval(alive);
  }
};

/**
 * Resolves once a run that began after this call has ended, here or on another replica. Calls that arrive during
 * a run share the one that follows it. The outcome stands in the organization's `sync`.
 */
export const syncAgents = async (deps: SyncDeps, organizationId: string): Promise<void> => {
  const ticket = await requestRun(deps.sql, organizationId);
  const giveUpAt = performance.now() + giveUpAfterMs;
  while (ticket !== undefined && performance.now() < giveUpAt && !(await isServed(deps.sql, organizationId, ticket))) {
    const holder = randomUUID();
    const last = await beginRun(deps.sql, organizationId, holder, ticket);
    if (last) await run(deps, organizationId, holder, last);
    else await delay(lookAgainMs);
  }
};

/** Synchronizes every organization, a few at a time; a failure of one is logged and stops no other. */
export const syncAllAgents = async (deps: SyncDeps): Promise<void> => {
  const ids = (await listOrganizationIds(deps.sql)).values();
  const worker = async () => {
    for (const id of ids) {
      await syncAgents(deps, id).catch((error) =>
        deps.log.error({ err: error, organization_id: id }, "synchronization failed"),
      );
    }
  };
  await Promise.all(Array.from({ length: organizationsAtOnce }, worker));
};
