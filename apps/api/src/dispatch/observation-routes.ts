// HTTP of what can be seen of dispatch: positions, executors, dispatches (D-25, D-27).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import { listDispatches } from "./dispatch-queries.ts";
import { listExecutors } from "./executor-queries.ts";
import { findPosition } from "./position-queries.ts";

export const addObservationRoutes = (app: FastifyInstance, { sql }: { sql: Sql }): void => {
  endpoint(app, operations.getTaskPosition, async ({ params }) => {
    const position = await findPosition(sql, params.id);
    if (!position) throw missing("task");
    return position;
  });

  endpoint(app, operations.listExecutors, async ({ query }) => {
    const after = readCursor(query, ["text", "text"]);
    const executors = await listExecutors(sql, after, rowsToRead(query));
    return toPage(query, executors, ({ executor, actor }) => [executor, actor.sub]);
  });

  endpoint(app, operations.listDispatches, async ({ query }) => {
    const [before] = readCursor(query, ["uuid"]) ?? [];
    const dispatches = await listDispatches(sql, query, before, rowsToRead(query));
    return toPage(query, dispatches, ({ id }) => [id]);
  });
};
