// Where a task stands in the queue, and why it waits (D-27).
import Type, { type Static } from "typebox";
import { operation } from "./operation.ts";
import { Count, Instant, named, nullable, oneOf, ref, strict, Uuid } from "./schema.ts";

export const positionReasons = [
  "next",
  "behind_higher_priority",
  "behind_older",
  "no_executor_seen",
  "no_free_capacity",
  "filtered_out",
  "not_assigned_to_agent",
  "needs_attention",
  "not_queued",
] as const;
export type PositionReason = (typeof positionReasons)[number];
/** Counts of a position go no further. */
export const maxPositionCount = 10_000;

export const Position = named("Position", {
  position: nullable(Count, { description: "1 is next; null outside the queue; counted to 10,000" }),
  ahead: Type.Array(Type.Object({ priority: Type.Integer(), count: Count }), {
    description: "Tasks before it by priority, the highest first; counted to 10,000 in all",
  }),
  overtaken_count: {
    ...Count,
    description: "Tasks that joined the queue later and were dispatched since this one was queued",
  },
  oldest_ahead_at: nullable(Instant, { description: "Since when the longest waiting task before it is queued" }),
  waiting_executors: { ...Count, description: "Executors that wait now and could take it" },
  estimated_wait_seconds: nullable(Count, {
    description: "At the rate of the last hour; null if nothing was dispatched",
  }),
  reasons: Type.Array(oneOf(positionReasons), { description: "Why it waits" }),
});
export type Position = Static<typeof Position>;

export const positionOperations = {
  getTaskPosition: operation({
    method: "GET",
    path: "/tasks/:id/position",
    tag: "Dispatch",
    summary: "See where a task stands",
    description: "Its position in the queue, what goes before it, and why it waits.",
    params: strict({ id: { ...Uuid, description: "Id of the task" } }),
    response: { 200: ref(Position) },
    problems: ["not_found"],
  }),
};
