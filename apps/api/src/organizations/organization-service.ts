// Creating, changing and deleting organizations: each change with its event, in one transaction.
import type { Actor, Organization, OrganizationCreate, OrganizationPatch } from "@task-service/contract";
import { appendEvent } from "../events/event-queries.ts";
import { parseRepositoryUrl, type Repository, repositoryUrl } from "../git/git-address.ts";
import type { CreationKey } from "../idempotency/creation-keys.ts";
import { bindKey } from "../idempotency/idempotency-queries.ts";
import { type Sql, type Transaction, transact } from "../platform/database.ts";
import { createId } from "../platform/identifiers.ts";
import { invalid, missing, RequestProblem } from "../platform/problems.ts";
import {
  deleteOrganization as deleteRow,
  findOrganization,
  insertOrganization,
  lockOrganization,
  type OrganizationValues,
  updateOrganization as updateRow,
} from "./organization-queries.ts";

export interface OrganizationDeps {
  sql: Sql;
  gitUrl: string;
  /** Hears, after the commit, of organizations whose agents repository is another one now. */
  sourceChanged: (organizationId: string) => void;
}

const uniqueViolation = "23505";

const refuseTakenSlug = (error: unknown): never => {
  const { code, constraint_name: constraint } = error as { code?: string; constraint_name?: string };
  if (code !== uniqueViolation || constraint !== "organizations_slug") throw error;
  throw new RequestProblem("slug_taken", "Another organization has this slug; case makes no difference.", {
    errors: [{ pointer: "/slug", detail: "is taken" }],
  });
};

const repositoryOf = (gitUrl: string, address: string | null | undefined): Repository | undefined => {
  if (address === null || address === undefined) return undefined;
  const repository = parseRepositoryUrl(gitUrl, address);
  if (!repository)
    throw invalid("/agents_repo_url", `must be the address of a repository: ${gitUrl}/<owner>/<repository>`);
  return repository;
};

const existing = async (
  { sql, gitUrl }: { sql: Sql | Transaction; gitUrl: string },
  idOrSlug: string,
): Promise<Organization> => {
  const organization = await findOrganization(sql, gitUrl, idOrSlug);
  if (!organization) throw missing("organization");
  return organization;
};

/** Reads an organization or throws `not_found`. */
export const readOrganization = (
  deps: Pick<OrganizationDeps, "sql" | "gitUrl">,
  idOrSlug: string,
): Promise<Organization> => existing(deps, idOrSlug);

/** Undefined if the key is bound already. Throws `slug_taken`, or `invalid_request` for a repository that is not on the git host. */
export const createOrganization = async (
  { sql, gitUrl, sourceChanged }: OrganizationDeps,
  { slug, name = slug, agents_repo_url }: OrganizationCreate,
  actor: Actor,
  key?: CreationKey,
): Promise<Organization | undefined> => {
  const repository = repositoryOf(gitUrl, agents_repo_url);
  const created = await transact(sql, async (transaction) => {
    const id = createId();
    if (!(await bindKey(transaction, key, id))) return undefined;
    await insertOrganization(transaction, id, slug, name, repository);
    const created = await existing({ sql: transaction, gitUrl }, id);
    await appendEvent(transaction, { type: "organization.created", organization_id: id, actor, data: { slug, name } });
    return created;
  }).catch(refuseTakenSlug);
  if (created) sourceChanged(created.id);
  return created;
};

/** The fields that `patch` really changes, each with its old and new value. */
const changesOf = (before: Organization, patch: OrganizationPatch) =>
  Object.fromEntries(
    (["slug", "name", "agents_repo_url"] as const)
      .filter((field) => patch[field] !== undefined && patch[field] !== before[field])
      .map((field) => [field, { old: before[field], new: patch[field] }]),
  );

/** A patch that changes nothing is no change: no event, the same `updated_at`. */
export const updateOrganization = async (
  { sql, gitUrl, sourceChanged }: OrganizationDeps,
  idOrSlug: string,
  patch: OrganizationPatch,
  actor: Actor,
): Promise<Organization> => {
  const repository = repositoryOf(gitUrl, patch.agents_repo_url);
  const { agents_repo_url, ...names } = patch;
  const values: OrganizationValues = {
    ...names,
    ...(agents_repo_url !== undefined && {
      agents_repo_owner: repository?.owner ?? null,
      agents_repo_name: repository?.repo ?? null,
    }),
  };
  const canonical = repository ? { ...patch, agents_repo_url: repositoryUrl(gitUrl, repository) } : patch;

  const { before, after } = await transact(sql, async (transaction) => {
    const id = await lockOrganization(transaction, idOrSlug);
    if (id === undefined) throw missing("organization");
    const before = await existing({ sql: transaction, gitUrl }, id);
    const changes = changesOf(before, canonical);
    if (Object.keys(changes).length === 0) return { before, after: before };
    await updateRow(transaction, id, values);
    await appendEvent(transaction, { type: "organization.updated", organization_id: id, actor, data: { changes } });
    return { before, after: await existing({ sql: transaction, gitUrl }, id) };
  }).catch(refuseTakenSlug);
  if (after.agents_repo_effective_url !== before.agents_repo_effective_url) sourceChanged(after.id);
  return after;
};

/** Removes what belongs to an organization, in the transaction that deletes it; may throw `organization_in_use`. */
export type Removal = (transaction: Transaction, organizationId: string) => Promise<void>;

/** Deletes an organization after `removals`, in their order. Its events stay. */
export const deleteOrganization = (
  sql: Sql,
  idOrSlug: string,
  actor: Actor,
  removals: readonly Removal[],
): Promise<void> =>
  transact(sql, async (transaction) => {
    const id = await lockOrganization(transaction, idOrSlug);
    if (id === undefined) throw missing("organization");
    for (const remove of removals) await remove(transaction, id);
    await deleteRow(transaction, id);
    await appendEvent(transaction, { type: "organization.deleted", organization_id: id, actor });
  });
