// HTTP of agent types and of synchronization on demand (D-10, D-11).
import { setTimeout as delay } from "node:timers/promises";
import { operations, type Sync } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { readOrganization } from "../organizations/organization-service.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { pageSize, readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import type { AgentSync } from "./agent-sync.ts";
import { findAgentType, isAgentType, listAgentTypes, listAgentTypeVersions } from "./agent-type-queries.ts";

const maxSyncWaitMs = 60_000;
/** Of the bodies on one page, as JSON, which makes up to six characters of one. */
const maxVersionsBytes = 8 * 1024 * 1024;

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
    const after = readCursor(query, ["instant", "uuid"]);
    const rows = await listAgentTypeVersions(sql, gitUrl, params.id, after, rowsToRead(query), maxVersionsBytes);
    if (rows.length === 0 && !(await isAgentType(sql, params.id))) throw missing("agent type");
    const fitting = rows.filter(({ json_bytes }, index) => index === 0 || json_bytes <= maxVersionsBytes).length;
    const limit = Math.min(pageSize(query), fitting || 1);
    return toPage({ ...query, limit }, rows, ({ first_seen_at, id }) => [first_seen_at, id]);
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
