// The whole API put together: the one file that knows every feature.
import { type FastifyInstance, fastify } from "fastify";
import packageJson from "../package.json" with { type: "json" };
import type { SyncDeps } from "./agents/agent-sync.ts";
import { deleteAgentTypes } from "./agents/agent-type-queries.ts";
import { addAgentTypeRoutes } from "./agents/agent-type-routes.ts";
import { deleteSync } from "./agents/sync-queries.ts";
import { addAuthentication } from "./auth/auth-hook.ts";
import type { KeySource } from "./auth/key-set.ts";
import { addMeRoute } from "./auth/me-route.ts";
import { addFailureLimit, addRateLimit } from "./auth/rate-limit.ts";
import { createTokenVerifier } from "./auth/token-verifier.ts";
import type { DispatchEngine } from "./dispatch/dispatch-engine.ts";
import {
  deleteDispatchesOfOrganization,
  deleteDispatchesOfTask,
  renewDispatches,
  reportUsage,
} from "./dispatch/dispatch-queries.ts";
import { addDispatchRoutes } from "./dispatch/dispatch-routes.ts";
import { createFilterResolution } from "./dispatch/filter-resolution.ts";
import { createHandoffs } from "./dispatch/handoffs.ts";
import { addObservationRoutes } from "./dispatch/observation-routes.ts";
import { addOrganizationRoutes } from "./organizations/organization-routes.ts";
import type { Config } from "./platform/config.ts";
import type { Database } from "./platform/database.ts";
import { addErrorHandling } from "./platform/error-handler.ts";
import type { Hit } from "./platform/failpoints.ts";
import { addHealthRoutes } from "./platform/health-routes.ts";
import type { Logger } from "./platform/logger.ts";
import { collectMethods } from "./platform/method-routes.ts";
import { addDocumentationPage, addOpenApi } from "./platform/openapi.ts";
import { addRequestHooks } from "./platform/request-hooks.ts";
import { serverOptions } from "./platform/server-options.ts";
import { addValidation } from "./platform/validation.ts";
import { deleteTasksOf, refuseTasksUnderWay } from "./tasks/task-queries.ts";
import { addTaskRoutes } from "./tasks/task-routes.ts";
import { addWebhookRoutes } from "./webhooks/webhook-routes.ts";

export interface AppDeps {
  config: Config;
  database: Database;
  keySource: KeySource;
  sync: SyncDeps;
  engine: DispatchEngine;
  log: Logger;
  hit: Hit;
  /** True from the moment the process was asked to stop. */
  isDraining: () => boolean;
}

export const version = packageJson.version;

/** Builds the API without listening. Hooks run in the order of this function. */
export const buildApp = async ({
  config,
  database,
  keySource,
  sync,
  engine,
  log,
  hit,
  isDraining,
}: AppDeps): Promise<FastifyInstance> => {
  const { requests: sql } = database;
  const gitUrl = config.git.url;
  const app: FastifyInstance = fastify(serverOptions(config, log));

  addRequestHooks(app, { isDraining });
  addErrorHandling(app);
  addValidation(app);
  const addMethodAnswers = collectMethods(app);
  await addOpenApi(app, version);
  const countFailure = await addFailureLimit(app);
  addAuthentication(app, { verifyToken: createTokenVerifier(config.oidc, keySource), countFailure });
  addRateLimit(app, config.rateLimitPerMinute);

  addHealthRoutes(app, { sql, isDraining });
  addMeRoute(app, { gitUrl, version });
  addOrganizationRoutes(app, {
    sql,
    gitUrl,
    removals: [refuseTasksUnderWay, deleteDispatchesOfOrganization, deleteTasksOf, deleteAgentTypes, deleteSync],
  });
  addAgentTypeRoutes(app, { sql, gitUrl, sync });
  addTaskRoutes(app, {
    sql,
    gitUrl,
    dispatches: {
      renew: (transaction, id) => renewDispatches(transaction, [id]),
      reportUsage,
      deleteOfTask: deleteDispatchesOfTask,
    },
    signals: engine.signals,
    hit,
  });
  addDispatchRoutes(app, {
    sql: database.dispatch,
    gitUrl,
    maxLostDispatches: config.maxLostDispatches,
    engine,
    resolveFilter: createFilterResolution(database.dispatch),
    completeHandoffs: createHandoffs(database.dispatch, gitUrl),
    hit,
  });
  addObservationRoutes(app, { sql });

  await addWebhookRoutes(app, { secret: config.git.signingSecret, sync });

  await addDocumentationPage(app);
  addMethodAnswers();
  return app;
};
