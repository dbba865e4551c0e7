// The agent_syncs table: what the last synchronization of an organization found, and which run holds it now (D-31).
import type { SyncFinding, SyncStatus } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import { isRepositoryOf, repositoryColumns } from "../organizations/organization-queries.ts";
import type { Queryable, Transaction } from "../platform/database.ts";

const heldUntil = (sql: Queryable, holdMs: number) => sql`now() + make_interval(secs => ${holdMs / 1000})`;

export interface SyncResult {
  status: SyncStatus;
  message: string | null;
  errors: SyncFinding[];
  warnings: SyncFinding[];
  /** Null unless everything was read. */
  commit: string | null;
}

/** Asks for a run and returns its ticket: served by the first run that begins afterwards. Undefined if the organization is gone. */
export const requestRun = async (sql: Queryable, organizationId: string): Promise<number | undefined> => {
  const [row] = await sql<{ requested: number }[]>`
    insert into agent_syncs (organization_id, requested) select id, 1 from organizations where id = ${organizationId}
    on conflict (organization_id) do update set requested = agent_syncs.requested + 1
    returning requested
  `;
  return row?.requested;
};

export const isServed = async (sql: Queryable, organizationId: string, ticket: number): Promise<boolean> => {
  const rows = await sql`select from agent_syncs where organization_id = ${organizationId} and served < ${ticket}`;
  return rows.length === 0;
};

export interface LastSync extends SyncResult {
  /** "owner/name" that the last run looked at. */
  repository: string | null;
  /** The repository was missing at every run for 15 minutes, this one included if it is missing again. */
  is_long_missing: boolean;
}

/** A run that took its organization: where it has to look, and what the last one found. */
export interface BegunRun extends LastSync, Repository {}

/**
 * Takes the organization for the run `holder`, until `holdMs` after its last sign of life; undefined while another run
 * holds it, or once the ticket is served.
 */
export const beginRun = async (
  sql: Queryable,
  organizationId: string,
  holder: string,
  ticket: number,
  holdMs: number,
): Promise<BegunRun | undefined> => {
  const [row] = await sql<BegunRun[]>`
    update agent_syncs s
    set holder = ${holder}, held_until = ${heldUntil(sql, holdMs)}, started_at = now(), serving = requested
    from organizations o
    where s.organization_id = ${organizationId} and o.id = s.organization_id
      and (s.holder is null or s.held_until < now()) and s.served < ${ticket}
    returning ${repositoryColumns(sql)}, s.status, s.message, s.errors, s.warnings, s.repository, s.commit,
      coalesce(s.missing_since <= now() - interval '15 minutes', false) as is_long_missing
  `;
  return row;
};

export const extendHold = async (
  sql: Queryable,
  organizationId: string,
  holder: string,
  holdMs: number,
): Promise<void> => {
  await sql`
    update agent_syncs set held_until = ${heldUntil(sql, holdMs)}
    where organization_id = ${organizationId} and holder = ${holder}
  `;
};

/** Gives the organization back as it was found, the tickets unserved; nothing if another run has it by now. */
export const releaseHold = async (sql: Queryable, organizationId: string, holder: string): Promise<void> => {
  await sql`
    update agent_syncs set holder = null, held_until = null, started_at = finished_at
    where organization_id = ${organizationId} and holder = ${holder}
  `;
};

/**
 * Whether the run still holds its organization, whose agents repository is still the one it read; if so nobody else
 * can take it before the transaction ends.
 */
export const stillHolds = async (
  sql: Transaction,
  organizationId: string,
  holder: string,
  repository: Repository,
): Promise<boolean> => {
  const rows = await sql`
    select from agent_syncs s join organizations o on o.id = s.organization_id
    where s.organization_id = ${organizationId} and s.holder = ${holder} and ${isRepositoryOf(sql, repository)}
    for update of s
  `;
  return rows.length > 0;
};

export interface RunEnd {
  repository: Repository;
  isMissing: boolean;
  /** The active agent types are what the repository holds. */
  isConfirmed: boolean;
  /** Left out when it is what the last run found. */
  result?: SyncResult;
}

/**
 * Ends the run; false, as for {@link stillHolds}, if it does not hold its organization any more or looked at another
 * repository than its organization has by now. A repository counts as missing since it was so at
 * every run: one that failed, or another repository, begins that time afresh (D-31).
 */
export const endRun = async (
  sql: Queryable,
  organizationId: string,
  holder: string,
  { repository, isMissing, isConfirmed, result }: RunEnd,
): Promise<boolean> => {
  const name = `${repository.owner}/${repository.repo}`;
  const rows = await sql`
    update agent_syncs
    set ${
      result === undefined
        ? sql``
        : sql`
            status = ${result.status}, message = ${result.message}, commit = ${result.commit},
            errors = ${sql.json(result.errors)}, warnings = ${sql.json(result.warnings)},
          `
    }
      repository = ${name},
      missing_since = ${isMissing ? sql`case when repository = ${name} then coalesce(missing_since, now()) else now() end` : sql`null`},
      confirmed_at = ${isConfirmed ? sql`now()` : sql`confirmed_at`},
      finished_at = greatest(clock_timestamp(), started_at), served = serving, holder = null, held_until = null
    where organization_id = ${organizationId} and holder = ${holder}
      and exists (select from organizations o where o.id = agent_syncs.organization_id and ${isRepositoryOf(sql, repository)})
    returning organization_id
  `;
  return rows.length > 0;
};

export const deleteSync = async (sql: Queryable, organizationId: string): Promise<void> => {
  await sql`delete from agent_syncs where organization_id = ${organizationId}`;
};
