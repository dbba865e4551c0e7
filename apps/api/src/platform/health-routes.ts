// Liveness and readiness (D-35). Readiness is about the database only: it says nothing of provider or git host.
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { Sql } from "./database.ts";
import { endpoint } from "./endpoint.ts";
import { isMigrated } from "./migrate.ts";
import { RequestProblem } from "./problems.ts";

export const addHealthRoutes = (
  app: FastifyInstance,
  { sql, isDraining }: { sql: Sql; isDraining: () => boolean },
): void => {
  endpoint(app, operations.getHealth, async () => ({ status: "ok" as const }));

  endpoint(app, operations.getReadiness, async () => {
    if (isDraining())
      throw new RequestProblem("overloaded", "This process is stopping.", { headers: { "Retry-After": "1" } });
    if (!(await isMigrated(sql))) throw new RequestProblem("database_unavailable", "Migrations are still missing.");
    return { status: "ready" as const };
  });
};
