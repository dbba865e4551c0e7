// HTTP of changing many tasks at once (D-39).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { endpoint } from "../platform/endpoint.ts";
import { problemFor } from "../platform/error-handler.ts";
import { problemDocument } from "../platform/problems.ts";
import { type BatchDeps, changeTasks } from "./task-batch.ts";

export const addTaskBatchRoutes = (app: FastifyInstance, deps: BatchDeps): void => {
  endpoint(app, operations.changeTasks, async ({ body, caller, id, log }) => ({
    items: await changeTasks(deps, body, caller.actor, (error) => problemDocument(problemFor(error, log), id)),
  }));
};
