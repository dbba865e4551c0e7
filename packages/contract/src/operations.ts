// Every operation of the API by name, and the named shapes their answers refer to.
import { actorOperations, Me } from "./actor.ts";
import { AgentType, AgentTypeSummary, agentTypeOperations } from "./agent-types.ts";
import {
  CapacityAnswer,
  Dispatch,
  DispatchDetail,
  DispatchedAgentType,
  dispatchOperations,
  Handoff,
} from "./dispatch.ts";
import { Event, eventOperations } from "./events.ts";
import { Executor, executorOperations } from "./executors.ts";
import { healthOperations } from "./health.ts";
import { Organization, organizationOperations, Sync } from "./organizations.ts";
import { Position, positionOperations } from "./positions.ts";
import { Problem } from "./problems.ts";
import { Task, TaskSummary, taskOperations } from "./tasks.ts";
import { webhookOperations } from "./webhooks.ts";

export const operations = {
  ...taskOperations,
  ...dispatchOperations,
  ...executorOperations,
  ...positionOperations,
  ...agentTypeOperations,
  ...organizationOperations,
  ...eventOperations,
  ...webhookOperations,
  ...actorOperations,
  ...healthOperations,
};
export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const namedSchemas = [
  Task,
  TaskSummary,
  Handoff,
  Dispatch,
  DispatchDetail,
  DispatchedAgentType,
  CapacityAnswer,
  Executor,
  Position,
  AgentType,
  AgentTypeSummary,
  Organization,
  Sync,
  Event,
  Me,
  Problem,
] as const;
