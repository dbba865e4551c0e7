// HTTP of the numbers (D-29).
import { operations, type Stats } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readHistory } from "./history-queries.ts";
import { historyPeriod, usagePeriod } from "./stats-periods.ts";
import { readUsage } from "./usage-queries.ts";

export interface StatsRoutesDeps {
  sql: Sql;
  /** At most 5 s old. */
  currentStats: () => Promise<Stats>;
}

export const addStatsRoutes = (app: FastifyInstance, { sql, currentStats }: StatsRoutesDeps): void => {
  endpoint(app, operations.getStats, currentStats);

  endpoint(app, operations.getStatsHistory, async ({ query }) => ({
    items: await readHistory(sql, historyPeriod(query, Date.now())),
  }));

  endpoint(app, operations.getStatsUsage, ({ query }) =>
    readUsage(sql, query.group_by ?? "day", usagePeriod(query, Date.now())),
  );
};
