// Organizations and the synchronization of their agents repository (D-10).
import Type, { type Static } from "typebox";
import { IdempotencyKey, idempotencyProblems } from "./idempotency.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Count, Instant, NoFields, named, nullable, oneOf, ref, strict, text, Uuid } from "./schema.ts";

/** The git host's owner rule: letters, digits, `-_.`; no leading, trailing or doubled punctuation; not shaped like a UUID. */
export const slugPattern =
  "^(?![0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$";
const Slug = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: slugPattern,
  description: "Owner of the agents repository on the git host. Unique without regard to case.",
  examples: ["acme"],
});
const Name = text(1, 200);
const AgentsRepoUrl = nullable(Type.String({ maxLength: 2048 }), {
  description: "Where the agents repository is, if not at `{git_url}/<slug>/<slug>-agents`. Must lie on the git host.",
});

export const SyncFinding = Type.Object({
  path: Type.String(),
  line: nullable(Count),
  detail: Type.String(),
});
export type SyncFinding = Static<typeof SyncFinding>;

export const syncStatuses = ["never", "ok", "not_configured", "partial", "failed"] as const;
export type SyncStatus = (typeof syncStatuses)[number];

export const Sync = named(
  "Sync",
  {
    status: oneOf(syncStatuses),
    message: nullable(Type.String(), { description: "What a person should know or do" }),
    commit: nullable(Type.String(), { description: "What was read last" }),
    started_at: nullable(Instant),
    finished_at: nullable(Instant),
    errors: Type.Array(SyncFinding, {
      description:
        "Files that were refused; what still is a persona file keeps its last good version. At most 100, of which the last may count the others",
    }),
    warnings: Type.Array(SyncFinding, { description: "What was read all the same; as many at most" }),
  },
  "The last synchronization. One is under way while `started_at` is later than `finished_at`.",
);
export type Sync = Static<typeof Sync>;

export const Organization = named("Organization", {
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  agents_repo_url: nullable(Type.String(), { description: "Null: the conventional place" }),
  agents_repo_effective_url: Type.String({ description: "Where its agents repository is looked for" }),
  sync: ref(Sync),
  agent_type_count: Count,
  created_at: Instant,
  updated_at: Instant,
});
export type Organization = Static<typeof Organization>;

export const OrganizationCreate = strict(
  {
    slug: Slug,
    name: Type.Optional(Name),
    agents_repo_url: Type.Optional(AgentsRepoUrl),
  },
  { title: "OrganizationCreate" },
);
export type OrganizationCreate = Static<typeof OrganizationCreate>;

export const OrganizationPatch = strict(
  {
    slug: Type.Optional(Slug),
    name: Type.Optional(Name),
    agents_repo_url: Type.Optional(AgentsRepoUrl),
  },
  { title: "OrganizationPatch" },
);
export type OrganizationPatch = Static<typeof OrganizationPatch>;

const params = strict({
  organization: Type.String({ minLength: 1, maxLength: 40, description: "Id or slug", examples: ["acme"] }),
});
const tag = "Organizations";

export const organizationOperations = {
  listOrganizations: operation({
    method: "GET",
    path: "/organizations",
    tag,
    summary: "List organizations",
    description: "By slug.",
    querystring: pageQuery({ q: Type.Optional(text(1, 200, { description: "Part of the slug or name" })) }),
    response: { 200: page(ref(Organization)) },
  }),
  createOrganization: operation({
    method: "POST",
    path: "/organizations",
    tag,
    summary: "Create an organization",
    headers: IdempotencyKey,
    body: OrganizationCreate,
    response: { 201: ref(Organization) },
    problems: ["slug_taken", ...idempotencyProblems],
  }),
  getOrganization: operation({
    method: "GET",
    path: "/organizations/:organization",
    tag,
    summary: "Read an organization",
    params,
    response: { 200: ref(Organization) },
    problems: ["not_found"],
  }),
  updateOrganization: operation({
    method: "PATCH",
    path: "/organizations/:organization",
    tag,
    summary: "Change an organization",
    description: "A new slug or repository forgets the commit last synced.",
    params,
    body: OrganizationPatch,
    response: { 200: ref(Organization) },
    problems: ["not_found", "slug_taken"],
  }),
  deleteOrganization: operation({
    method: "DELETE",
    path: "/organizations/:organization",
    tag,
    summary: "Delete an organization",
    description: "With its ended tasks and its agent types; refused while it has tasks that are queued or live.",
    params,
    response: { 204: Type.Null() },
    problems: ["not_found", "organization_in_use"],
  }),
  syncOrganization: operation({
    method: "POST",
    path: "/organizations/:organization/sync",
    tag,
    summary: "Synchronize now",
    description: "Reads the agents repository and waits up to 60 s for it; 202 if it takes longer.",
    params,
    body: NoFields,
    isBodyOptional: true,
    response: {
      200: ref(Sync, { description: "The run is over; this is what came of it." }),
      202: ref(Sync, { description: "The run is still under way." }),
    },
    problems: ["not_found"],
  }),
};
