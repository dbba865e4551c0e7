// What a run finds in the agents repository of an organization, and what its agent types should become (D-31).
import { personasFolder } from "@task-service/personas";
import type { Repository } from "../git/git-address.ts";
import type { GitHost } from "../git/git-host-client.ts";
import { GitHostError } from "../git/git-host-requests.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { hasActiveAgentTypes, listKnownPersonas } from "./agent-type-queries.ts";
import { type Fleet, readFleet } from "./fleet-reading.ts";
import { boundFindings } from "./sync-findings.ts";
import type { BegunRun, LastSync, SyncResult } from "./sync-queries.ts";

export interface SyncDeps {
  sql: Sql;
  gitHost: GitHost;
  log: Logger;
}

const emptyFleet: Fleet = { changed: [], present: [], refused: [], errors: [], warnings: [] };

export interface Finding extends SyncResult {
  isMissing: boolean;
  /** The repository holds what is stored of it. */
  isUnchanged?: boolean;
  /** What the agent types should become; undefined leaves them as they are. */
  fleet?: Fleet | undefined;
}

const notConfigured = ({ owner, repo }: Repository, last: LastSync, hasActive: boolean): Finding => {
  const detail =
    "The repository is not there, or the service may not read it; its agent types become inactive after 15 minutes.";
  const isLongMissing = last.is_long_missing && last.repository === `${owner}/${repo}`;
  const isWaiting = hasActive && !isLongMissing;
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
    fleet: hasActive && !isWaiting ? emptyFleet : undefined,
  };
};

/** Asks the git host; writes nothing. Rejects with GitHostError if any answer is missing: then nothing may be concluded. */
export const lookAtRepository = async (
  { sql, gitHost }: SyncDeps,
  organizationId: string,
  begun: BegunRun,
): Promise<Finding> => {
  const { owner, repo, ...last } = begun;
  const repository = { owner, repo };
  const head = await gitHost.headCommit(repository);
  if (head === "missing" || head === "empty") {
    const hasActive = await hasActiveAgentTypes(sql, organizationId);
    if (head === "missing") return notConfigured(repository, last, hasActive);
    if (hasActive) await gitHost.checkEmpty(repository);
    const fleet = hasActive ? emptyFleet : undefined;
    return { status: "ok", message: null, errors: [], warnings: [], commit: null, isMissing: false, fleet };
  }
  const { status, message, errors, warnings, commit } = last;
  if (head.commit === commit && last.repository === `${owner}/${repo}`) {
    return { status, message, errors, warnings, commit, isMissing: false, isUnchanged: true };
  }
  const known = await listKnownPersonas(sql, organizationId, repository);
  const fleet = await readFleet(gitHost, repository, head.commit, known, last);
  const isWhole = fleet.errors.length === 0;
  return {
    status: isWhole ? "ok" : "partial",
    message: isWhole ? null : "Some files were refused; what still is a persona file keeps its last good version.",
    errors: boundFindings(fleet.errors, personasFolder),
    warnings: boundFindings(fleet.warnings, personasFolder),
    commit: head.commit,
    isMissing: false,
    fleet,
  };
};

/** What a run found that could not look, or whose finding could not be written: nothing changes but its status. */
export const failure = (error: unknown, last: LastSync, log: Logger): Finding => {
  if (!(error instanceof GitHostError)) log.error({ err: error }, "synchronization failed");
  const message = error instanceof GitHostError ? error.message : "Something went wrong here; it has been logged.";
  return { status: "failed", message, errors: last.errors, warnings: last.warnings, commit: null, isMissing: false };
};
