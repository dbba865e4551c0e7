// HTTP of tasks (D-12 to D-16).
import { operations, type Page, type Task, type TaskQuery, type TaskSummary } from "@task-service/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { listTaskEvents } from "../events/history-queries.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { invalid, missing } from "../platform/problems.ts";
import { findKeyBeforePosition, type QueueKey } from "./queue-positions.ts";
import { countTasks } from "./task-count.ts";
import { isOutsideQueue, resolveFilters } from "./task-filters.ts";
import { listByCreation, listInOrder } from "./task-list-queries.ts";
import { byDispatch, byLastChange } from "./task-orders.ts";
import { findTask } from "./task-queries.ts";
import { deleteTask, type TaskDeps, updateTask } from "./task-service.ts";

/** The key before the task at `position` of the whole queue; undefined if the queue is shorter. */
const findKeyBefore = async (
  sql: Sql,
  position: number,
  { sort, cursor, limit: _limit, ...narrowing }: TaskQuery,
): Promise<QueueKey | undefined> => {
  if (sort !== "queue") throw invalid("?from_position", "goes with sort=queue only");
  if (cursor !== undefined) throw invalid("?from_position", "goes without a cursor, which says itself where to begin");
  const [filter] = Object.keys(narrowing);
  if (filter !== undefined) throw invalid("?from_position", `counts the whole queue, so it goes without ${filter}`);
  return findKeyBeforePosition(sql, position);
};

const listTasks = async (sql: Sql, { from_position, ...query }: TaskQuery): Promise<Page<TaskSummary>> => {
  const { sort = "-created_at", limit: _limit, cursor: _cursor, ...narrowing } = query;
  const count = rowsToRead(query);
  const nothing = { items: [], next_cursor: null };
  const jump = from_position === undefined ? undefined : await findKeyBefore(sql, from_position, query);
  if (from_position !== undefined && jump === undefined) return nothing;
  if (sort === "queue") {
    const filters = await resolveFilters(sql, { state: "queued", ...narrowing });
    const order = byDispatch(sql, filters.row);
    const after = jump ?? readCursor(query, ["integer", "bigint"]);
    if (isOutsideQueue(filters)) return nothing;
    return toPage(query, await listInOrder(sql, order, filters, { after, count }), order.keyOf);
  }
  const filters = await resolveFilters(sql, narrowing);
  if (sort === "-updated_at") {
    const order = byLastChange(sql);
    const after = readCursor(query, ["instant", "uuid"]);
    return toPage(query, await listInOrder(sql, order, filters, { after, count }), order.keyOf);
  }
  const [after] = readCursor(query, ["uuid"]) ?? [];
  const tasks = await listByCreation(sql, filters, { isDescending: sort === "-created_at", after, count });
  return toPage(query, tasks, ({ id }) => [id]);
};

export const withETag = (reply: FastifyReply, task: Task): Task => {
  reply.header("ETag", `"${task.version}"`);
  return task;
};

export const addTaskRoutes = (app: FastifyInstance, deps: TaskDeps & { reads: Sql }): void => {
  const { sql, reads } = deps;

  endpoint(app, operations.listTasks, ({ query }) => listTasks(reads, query));

  endpoint(app, operations.countTasks, ({ query }) => countTasks(reads, query));

  endpoint(app, operations.getTask, async ({ params }, reply) => {
    const task = await findTask(sql, params.id);
    if (!task) throw missing("task");
    return withETag(reply, task);
  });

  endpoint(app, operations.updateTask, async ({ params, body, headers, caller }, reply) =>
    withETag(reply, await updateTask(deps, params.id, body, headers["if-match"], caller.actor)),
  );

  endpoint(app, operations.deleteTask, async ({ params, headers, caller }) => {
    await deleteTask(deps, params.id, headers["if-match"], caller.actor);
    return null;
  });

  endpoint(app, operations.listTaskEvents, async ({ params, query }) => {
    const [before] = readCursor(query, ["eventId"]) ?? [];
    const events = await listTaskEvents(sql, params.id, before, rowsToRead(query));
    if (events.length === 0 && before === undefined) throw missing("task");
    return toPage(query, events, ({ id }) => [id]);
  });
};
