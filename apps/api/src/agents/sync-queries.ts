// The agent_syncs table: what the last synchronization of an organization found, and which run holds it now (D-31).
import type { SyncFinding, SyncStatus } from "@task-service/contract";
import type { Repository } from "../git/git-address.ts";
import type { Queryable, Transaction } from "../platform/database.ts";

/** A dead run's hold ends this long after its last sign of life. */
const holdSeconds = 60;

export interface SyncResult {
  status: SyncStatus;
  message: string | null;
  errors: SyncFinding[];
  warnings: SyncFinding[];
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
  repository: string | null;
  commit: string | null;
  /** The repository was missing at every run for 15 minutes, this one included if it is missing again. */
  is_long_missing: boolean;
  has_active: boolean;
}

/** Takes the organization for the run `holder`; undefined while another run holds it, or once the ticket is served. */
export const beginRun = async (
  sql: Queryable,
  organizationId: string,
  holder: string,
  ticket: number,
): Promise<LastSync | undefined> => {
  const [row] = await sql<LastSync[]>`
    update agent_syncs
    set holder = ${holder}, held_until = now() + make_interval(secs => ${holdSeconds}), started_at = now(), serving = requested
    where organization_id = ${organizationId} and (holder is null or held_until < now()) and served < ${ticket}
    returning status, message, errors, warnings, repository, commit,
      coalesce(missing_since <= now() - interval '15 minutes', false) as is_long_missing,
      exists (select from agent_types a where a.organization_id = agent_syncs.organization_id and a.is_active) as has_active
  `;
  return row;
};

export const extendHold = async (sql: Queryable, organizationId: string, holder: string): Promise<void> => {
  await sql`
    update agent_syncs set held_until = now() + make_interval(secs => ${holdSeconds})
    where organization_id = ${organizationId} and holder = ${holder}
  `;
};

/** Whether the run still holds its organization; if so nobody else can take it before the transaction ends. */
export const stillHolds = async (sql: Transaction, organizationId: string, holder: string): Promise<boolean> => {
  const rows = await sql`
    select from agent_syncs where organization_id = ${organizationId} and holder = ${holder} for update
  `;
  return rows.length > 0;
};

export interface RunEnd extends SyncResult {
  repository: Repository;
  /** Null unless everything was read. */
  commit: string | null;
  isMissing: boolean;
}

export const endRun = async (sql: Queryable, organizationId: string, holder: string, end: RunEnd): Promise<void> => {
  await sql`
    update agent_syncs
    set status = ${end.status}, message = ${end.message}, errors = ${sql.json(end.errors)}, warnings = ${sql.json(end.warnings)},
      repository = ${`${end.repository.owner}/${end.repository.repo}`}, commit = ${end.commit},
      missing_since = ${end.isMissing ? sql`coalesce(missing_since, now())` : sql`null`},
      finished_at = greatest(clock_timestamp(), started_at), served = serving, holder = null, held_until = null
    where organization_id = ${organizationId} and holder = ${holder}
  `;
};

export const deleteSync = async (sql: Queryable, organizationId: string): Promise<void> => {
  await sql`delete from agent_syncs where organization_id = ${organizationId}`;
};
