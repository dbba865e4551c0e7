// HTTP of organizations (D-10).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { CreateOnce } from "../idempotency/idempotent-creation.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { findOrganization, listOrganizations } from "./organization-queries.ts";
import {
  createOrganization,
  deleteOrganization,
  type OrganizationDeps,
  type Removal,
  readOrganization,
  updateOrganization,
} from "./organization-service.ts";

/** Each statement of a deletion may take 30 s: it goes through all the tasks there were. */
const maxDeletionMs = 120_000;

export const addOrganizationRoutes = (
  app: FastifyInstance,
  deps: OrganizationDeps & { background: Sql; removals: readonly Removal[]; createOnce: CreateOnce },
): void => {
  const { sql, background, gitUrl, createOnce } = deps;

  endpoint(app, operations.listOrganizations, async ({ query }) => {
    const [after] = readCursor(query, ["text"]) ?? [];
    const rows = await listOrganizations(sql, gitUrl, { q: query.q, after, rows: rowsToRead(query) });
    return toPage(query, rows, ({ slug }) => [slug.toLowerCase()]);
  });

  endpoint(app, operations.createOrganization, async (request, reply) => {
    const { body, caller } = request;
    const organization = await createOnce(request, reply, {
      create: (key) => createOrganization(deps, body, caller.actor, key),
      find: ([id = ""]) => findOrganization(sql, gitUrl, id),
    });
    reply.header("Location", `organizations/${organization.id}`);
    return organization;
  });

  endpoint(app, operations.getOrganization, ({ params }) => readOrganization(deps, params.organization));

  endpoint(app, operations.updateOrganization, ({ params, body, caller }) =>
    updateOrganization(deps, params.organization, body, caller.actor),
  );

  endpoint(
    app,
    operations.deleteOrganization,
    async ({ params, caller }) => {
      await deleteOrganization(background, params.organization, caller.actor, deps.removals);
      return null;
    },
    { handlerTimeout: maxDeletionMs },
  );
};
