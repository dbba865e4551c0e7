// HTTP of creating tasks, one or many (D-12, D-17).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { CreateOnce } from "../idempotency/idempotent-creation.ts";
import { endpoint } from "../platform/endpoint.ts";
import { createBulk } from "./bulk-creation.ts";
import { createBatching } from "./creation-batches.ts";
import type { CreationDeps } from "./task-creation.ts";
import { findTask, findTasks } from "./task-queries.ts";
import { withETag } from "./task-routes.ts";

/** D-05. */
const maxBulkBytes = 16 * 1024 * 1024;

export const addTaskCreationRoutes = (app: FastifyInstance, deps: CreationDeps & { createOnce: CreateOnce }): void => {
  const { sql, createOnce } = deps;
  const createTask = createBatching(deps);

  endpoint(app, operations.createTask, async (request, reply) => {
    const { body, caller } = request;
    const task = await createOnce(request, reply, {
      create: (key) => createTask({ request: body, actor: caller.actor, key }),
      find: ([id = ""]) => findTask(sql, id),
    });
    reply.header("Location", `tasks/${task.id}`);
    return withETag(reply, task);
  });

  endpoint(
    app,
    operations.createTasks,
    async (request, reply) => {
      const { body, caller } = request;
      const items = await createOnce(request, reply, {
        create: (key) => createBulk(deps, body, caller.actor, key),
        find: async (ids) => {
          const tasks = await findTasks(sql, ids);
          return tasks.length === ids.length ? tasks : undefined;
        },
      });
      return { items };
    },
    { bodyLimit: maxBulkBytes },
  );
};
