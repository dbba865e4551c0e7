// HTTP of dispatch (D-19, D-20, D-25).
import { maxWaitSeconds, operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { whenUnanswered } from "../platform/caller-presence.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import { findTask } from "../tasks/task-queries.ts";
import { signalCapacity } from "./capacity-service.ts";
import { listDispatches } from "./dispatch-queries.ts";
import { endDispatch, hearFrom, readDispatch, requeueTask, takeNext } from "./dispatch-service.ts";
import type { HandOverDeps } from "./hand-over.ts";

const ofExecutors = { config: { isOfExecutors: true } };
/** A waiting request answers by itself; beyond this something is stuck. */
const waiting = { ...ofExecutors, handlerTimeout: (maxWaitSeconds + 10) * 1000 };

export const addDispatchRoutes = (app: FastifyInstance, deps: HandOverDeps): void => {
  endpoint(
    app,
    operations.takeNextTask,
    ({ query, caller }, reply) => takeNext(deps, query, caller.actor, whenUnanswered(reply)),
    waiting,
  );

  endpoint(
    app,
    operations.signalCapacity,
    ({ body, caller }, reply) => signalCapacity(deps, body, caller.actor, whenUnanswered(reply)),
    waiting,
  );

  endpoint(app, operations.getDispatch, ({ params }) => readDispatch(deps, params.id));

  endpoint(app, operations.listTaskDispatches, async ({ params, query }) => {
    if (!(await findTask(deps.sql, params.id))) throw missing("task");
    const [before] = readCursor(query, ["uuid"]) ?? [];
    const dispatches = await listDispatches(deps.sql, { task: params.id }, before, rowsToRead(query));
    return toPage(query, dispatches, ({ id }) => [id]);
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
