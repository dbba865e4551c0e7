// HTTP of agent types and of synchronization on demand (D-10, D-11).
import { setTimeout as delay } from "node:timers/promises";
import { operations, type Sync, versionsPerPage } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { readOrganization } from "../organizations/organization-service.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import type { AgentSync } from "./agent-sync.ts";
import { findAgentType, isAgentType, listAgentTypes, listAgentTypeVersions } from "./agent-type-queries.ts";

const maxSyncWaitMs = 60_000;

export interface AgentTypeDeps {
  sql: Sql;
  gitUrl: string;
  sync: AgentSync;
}

export const addAgentTypeRoutes = (app: FastifyInstance, deps: AgentTypeDeps): void => {
  const { sql, gitUrl } = deps;

  endpoint(app, operations.listAgentTypes, async ({ query }) => {
    const after = readCursor(query, ["text", "text"]);
    const rows = await listAgentTypes(sql, gitUrl, query, after, rowsToRead(query));
    return toPage(query, rows, ({ organization_slug, slug }) => [organization_slug.toLowerCase(), slug]);
  });

  endpoint(app, operations.getAgentType, async ({ params }) => {
    const agentType = await findAgentType(sql, gitUrl, params.id);
    if (!agentType) throw missing("agent type");
    return agentType;
  });

  endpoint(app, operations.listAgentTypeVersions, async ({ params, query }) => {
    const paged = { ...query, limit: query.limit ?? versionsPerPage };
    const [after] = readCursor(paged, ["uuid"]) ?? [];
    const rows = await listAgentTypeVersions(sql, gitUrl, params.id, after, rowsToRead(paged));
    if (rows.length === 0 && !(await isAgentType(sql, params.id))) throw missing("agent type");
    return toPage(paged, rows, ({ id }) => [id]);
  });

  endpoint(
    app,
    operations.syncOrganization,
    async ({ params }, reply): Promise<Sync> => {
      const { id } = await readOrganization(deps, params.organization);
      const isDone = await Promise.race([deps.sync.syncAgents(id), delay(maxSyncWaitMs, false, { ref: false })]);
      reply.code(isDone ? 200 : 202);
      return (await readOrganization(deps, id)).sync;
    },
    { handlerTimeout: maxSyncWaitMs + 10_000 },
  );
};
