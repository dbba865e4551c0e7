// The whole API put together: the one file that knows every feature.
import { type FastifyInstance, fastify } from "fastify";
import type { Registry } from "prom-client";
import packageJson from "../package.json" with { type: "json" };
import type { AgentSync } from "./agents/agent-sync.ts";
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
  renewing,
  reportUsage,
} from "./dispatch/dispatch-queries.ts";
import { addDispatchRoutes } from "./dispatch/dispatch-routes.ts";
import { requeueTask } from "./dispatch/dispatch-service.ts";
import { createFilterResolution } from "./dispatch/filter-resolution.ts";
import { createHandoffs } from "./dispatch/handoffs.ts";
import { addObservationRoutes } from "./dispatch/observation-routes.ts";
import type { EventFeed } from "./events/event-feed.ts";
import { addEventRoutes } from "./events/event-routes.ts";
import { createOnceByKey } from "./idempotency/idempotent-creation.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { findOrganizationIds } from "./organizations/organization-queries.ts";
import { addOrganizationRoutes } from "./organizations/organization-routes.ts";
import type { Config } from "./platform/config.ts";
import type { Database } from "./platform/database.ts";
import { addDocumentationPage, addOpenApiRoute } from "./platform/documentation-routes.ts";
import { addErrorHandling } from "./platform/error-handler.ts";
import type { Hit } from "./platform/failpoints.ts";
import { addHealthRoutes } from "./platform/health-routes.ts";
import { keepFor } from "./platform/kept-value.ts";
import type { Logger } from "./platform/logger.ts";
import { collectMethods } from "./platform/method-routes.ts";
import { addRequestHooks } from "./platform/request-hooks.ts";
import { addRequestMetrics } from "./platform/request-metrics.ts";
import { serverOptions } from "./platform/server-options.ts";
import { addValidation } from "./platform/validation.ts";
import { addStatsMetrics } from "./stats/stats-metrics.ts";
import { readStats } from "./stats/stats-queries.ts";
import { addStatsRoutes } from "./stats/stats-routes.ts";
import { deleteNotesOfOrganization } from "./tasks/note-queries.ts";
import { addNoteRoutes } from "./tasks/note-routes.ts";
import { addTaskBatchRoutes } from "./tasks/task-batch-routes.ts";
import { addTaskCreationRoutes } from "./tasks/task-creation-routes.ts";
import { deleteTasksOf, refuseTasksUnderWay } from "./tasks/task-queries.ts";
import { addTaskRoutes } from "./tasks/task-routes.ts";
import type { TaskDeps } from "./tasks/task-service.ts";
import { addWebhookRoutes } from "./webhooks/webhook-routes.ts";

export interface AppDeps {
  config: Config;
  database: Database;
  keySource: KeySource;
  sync: AgentSync;
  /** Hears of organizations whose agents repository is another one now. */
  sourceChanged: (organizationId: string) => void;
  mirror: Mirror;
  engine: DispatchEngine;
  feed: EventFeed;
  log: Logger;
  hit: Hit;
  /** Undefined: nobody asks for metrics. */
  metrics: Registry | undefined;
  /** True from the moment the process was asked to stop. */
  isDraining: () => boolean;
}

export const version = packageJson.version;

/** D-29. */
const statsMs = 5000;

/** Builds the API without listening. Hooks run in the order of this function. */
export const buildApp = async ({
  config,
  database,
  keySource,
  sync,
  sourceChanged,
  mirror,
  engine,
  feed,
  log,
  hit,
  metrics,
  isDraining,
}: AppDeps): Promise<FastifyInstance> => {
  const { requests: sql } = database;
  const gitUrl = config.git.url;
  const app: FastifyInstance = fastify(serverOptions(config, log));

  addRequestHooks(app, { isDraining });
  if (metrics) addRequestMetrics(app, metrics);
  addErrorHandling(app);
  addValidation(app);
  const addMethodAnswers = collectMethods(app);
  const countFailure = await addFailureLimit(app);
  addAuthentication(app, { verifyToken: createTokenVerifier(config.oidc, keySource), countFailure });
  addRateLimit(app, config.rateLimitPerMinute);

  addHealthRoutes(app, { sql, isDraining });
  addMeRoute(app, { ...config, gitUrl, version });
  const createOnce = createOnceByKey(sql);
  addOrganizationRoutes(app, {
    sql,
    background: database.background,
    gitUrl,
    sourceChanged,
    createOnce,
    removals: [
      refuseTasksUnderWay,
      deleteDispatchesOfOrganization,
      deleteNotesOfOrganization,
      deleteTasksOf,
      deleteAgentTypes,
      deleteSync,
    ],
  });
  addAgentTypeRoutes(app, { sql, gitUrl, sync });
  const tasks: TaskDeps = {
    sql,
    gitUrl,
    limits: config,
    dispatches: {
      renewing,
      reportUsage,
      deleteOfTask: deleteDispatchesOfTask,
    },
    signals: engine.signals,
    linked: mirror.linked,
    hit,
  };
  addTaskRoutes(app, { ...tasks, reads: database.reads });
  addTaskCreationRoutes(app, { ...tasks, createOnce });
  addTaskBatchRoutes(app, {
    ...tasks,
    requeue: (id, body, actor) => requeueTask({ sql, engine }, id, body, undefined, actor),
  });
  addNoteRoutes(app, { ...tasks, createOnce });
  addDispatchRoutes(app, {
    sql: database.dispatch,
    gitUrl,
    maxLostDispatches: config.maxLostDispatches,
    engine,
    resolveFilter: createFilterResolution(database.dispatch),
    completeHandoffs: createHandoffs(database.dispatch, gitUrl),
    hit,
  });
  addObservationRoutes(app, { sql: database.reads });
  const retentionDays = config.eventRetentionDays;
  addEventRoutes(app, { sql: database.reads, feed, retentionDays, isDraining, findOrganizationIds });
  const currentStats = keepFor(statsMs, () => readStats(database.reads));
  addStatsRoutes(app, { sql: database.reads, currentStats });
  if (metrics) {
    const { waitingRequests } = engine;
    const { openStreams } = feed;
    addStatsMetrics(metrics, { sql: database.background, currentStats, waitingRequests, openStreams });
  }

  await addWebhookRoutes(app, { secret: config.git.signingSecret, sql: database.background, sync, mirror });

  addOpenApiRoute(app, version);
  await addDocumentationPage(app);
  addMethodAnswers();
  return app;
};
