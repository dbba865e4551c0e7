// Every operation of the API by name, and the named shapes their answers refer to.
import { actorOperations, Me } from "./actor.ts";
import { AgentType, AgentTypeSummary, AgentTypeVersion, agentTypeOperations } from "./agent-types.ts";
import { batchOperations } from "./batches.ts";
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
import { Note, noteOperations } from "./notes.ts";
import { Organization, organizationOperations, Sync } from "./organizations.ts";
import { Position, positionOperations } from "./positions.ts";
import { Problem } from "./problems.ts";
import { Stats, StatsHistory, StatsUsage, statsOperations } from "./stats.ts";
import { TaskCount, taskListOperations } from "./task-lists.ts";
import { Task, TaskSummary, taskOperations } from "./tasks.ts";
import { webhookOperations } from "./webhooks.ts";

export const operations = {
  ...taskListOperations,
  ...taskOperations,
  ...batchOperations,
  ...noteOperations,
  ...dispatchOperations,
  ...executorOperations,
  ...positionOperations,
  ...agentTypeOperations,
  ...organizationOperations,
  ...eventOperations,
  ...statsOperations,
  ...webhookOperations,
  ...actorOperations,
  ...healthOperations,
};
export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const namedSchemas = [
  Task,
  TaskSummary,
  TaskCount,
  Note,
  Handoff,
  Dispatch,
  DispatchDetail,
  DispatchedAgentType,
  CapacityAnswer,
  Executor,
  Position,
  AgentType,
  AgentTypeSummary,
  AgentTypeVersion,
  Organization,
  Sync,
  Event,
  Stats,
  StatsHistory,
  StatsUsage,
  Me,
  Problem,
] as const;
