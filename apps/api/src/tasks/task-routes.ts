// HTTP of tasks (D-12 to D-16).
import { operations, type Page, type Task, type TaskQuery, type TaskSummary } from "@task-service/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { listTaskEvents } from "../events/event-queries.ts";
import { findOrganizationIds } from "../organizations/organization-queries.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import { createBulk } from "./bulk-creation.ts";
import { createBatching } from "./creation-batches.ts";
import { listQueue, listTasksByCreation, type ResolvedFilters } from "./task-list-queries.ts";
import { findTask } from "./task-queries.ts";
import { findAssignables, nameOf } from "./task-references.ts";
import { deleteTask, type TaskDeps, updateTask } from "./task-service.ts";

/** D-05. */
const maxBulkBytes = 16 * 1024 * 1024;

const resolveAssignees = async (sql: Sql, assignees: readonly string[]): Promise<string[]> => {
  const agentTypes = await findAssignables(sql, assignees);
  return assignees.map((assignee) => agentTypes.get(nameOf(assignee))?.id ?? assignee);
};

/** Names become ids; a name that means nothing stays and matches nothing. */
const resolveFilters = async (
  sql: Sql,
  { state, organization, assignee, parent_id }: TaskQuery,
): Promise<ResolvedFilters> => ({
  ...(state && { state }),
  ...(organization && { organization: await findOrganizationIds(sql, organization) }),
  ...(assignee && { assignee: await resolveAssignees(sql, assignee) }),
  ...(parent_id && { parent_id }),
});

const listTasks = async (sql: Sql, query: TaskQuery): Promise<Page<TaskSummary>> => {
  const filters = await resolveFilters(sql, query);
  const rows = rowsToRead(query);
  if (query.sort === "queue") {
    const after = readCursor<[number, number]>(query, ["number", "number"]);
    const queue = await listQueue(sql, filters, { after, rows });
    return toPage(query, queue, ({ priority, queue_seq }) => [priority, queue_seq]);
  }
  const [after] = readCursor<[string]>(query, ["string"]) ?? [];
  const tasks = await listTasksByCreation(sql, filters, { isDescending: query.sort !== "created_at", after, rows });
  return toPage(query, tasks, ({ id }) => [id]);
};

const withETag = (reply: FastifyReply, task: Task): Task => {
  reply.header("ETag", `"${task.version}"`);
  return task;
};

export const addTaskRoutes = (app: FastifyInstance, deps: TaskDeps): void => {
  const { sql } = deps;
  const createTask = createBatching(deps);

  endpoint(app, operations.listTasks, ({ query }) => listTasks(sql, query));

  endpoint(app, operations.createTask, async ({ body, caller }, reply) => {
    const task = await createTask({ request: body, actor: caller.actor });
    reply.header("Location", `tasks/${task.id}`);
    return withETag(reply, task);
  });

  endpoint(
    app,
    operations.createTasks,
    async ({ body, caller }) => ({ items: await createBulk(deps, body, caller.actor) }),
    { bodyLimit: maxBulkBytes },
  );

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
    const [before] = readCursor<[string]>(query, ["string"], params.id) ?? [];
    const events = await listTaskEvents(sql, params.id, before, rowsToRead(query));
    if (events.length === 0 && before === undefined) throw missing("task");
    return toPage(query, events, ({ id }) => [id], params.id);
  });
};
