// The contract of the task service: every shape, every operation, and the client that speaks them.
export * from "./actor.ts";
export * from "./agent-types.ts";
export * from "./client.ts";
export * from "./dispatch.ts";
export * from "./events.ts";
export * from "./executors.ts";
export * from "./health.ts";
export * from "./operation.ts";
export * from "./operations.ts";
export * from "./organizations.ts";
export * from "./pagination.ts";
export * from "./positions.ts";
export * from "./problems.ts";
export * from "./schema.ts";
export * from "./tasks.ts";
export * from "./webhooks.ts";
