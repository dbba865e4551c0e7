// HTTP of dispatch (D-20, D-25).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import { findTask } from "../tasks/task-queries.ts";
import { listTaskDispatches } from "./dispatch-queries.ts";
import { type DispatchDeps, endDispatch, hearFrom, readDispatch, requeueTask, takeNext } from "./dispatch-service.ts";

const ofExecutors = { config: { isOfExecutors: true } };

export const addDispatchRoutes = (app: FastifyInstance, deps: DispatchDeps): void => {
  endpoint(app, operations.takeNextTask, ({ query, caller }) => takeNext(deps, query, caller.actor), ofExecutors);

  endpoint(app, operations.getDispatch, ({ params }) => readDispatch(deps, params.id));

  endpoint(app, operations.listTaskDispatches, async ({ params, query }) => {
    if (!(await findTask(deps.sql, params.id))) throw missing("task");
    const [before] = readCursor<[string]>(query, ["string"], params.id) ?? [];
    const dispatches = await listTaskDispatches(deps.sql, params.id, before, rowsToRead(query));
    return toPage(query, dispatches, ({ id }) => [id], params.id);
  });

  endpoint(app, operations.heartbeatDispatch, ({ params }) => hearFrom(deps, params.id), ofExecutors);

  endpoint(
    app,
    operations.finishDispatch,
    ({ params, caller }) => endDispatch(deps, params.id, "finished", null, caller.actor),
    ofExecutors,
  );

  endpoint(
    app,
    operations.releaseDispatch,
    ({ params, body, caller }) => endDispatch(deps, params.id, "released", body.reason ?? null, caller.actor),
    ofExecutors,
  );

  endpoint(app, operations.requeueTask, async ({ params, body, headers, caller }, reply) => {
    const task = await requeueTask(deps, params.id, body, headers["if-match"], caller.actor);
    reply.header("ETag", `"${task.version}"`);
    return task;
  });
};
