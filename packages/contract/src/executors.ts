// Executors as they were seen: an observation, never a registration (D-25).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Count, Instant, named, nullable, ref, Uuid } from "./schema.ts";

export const Executor = named(
  "Executor",
  {
    executor: Type.String(),
    actor: Actor,
    live_dispatches: Count,
    free_slots: { ...Count, description: "As it signalled last, less what it was handed since" },
    is_waiting: Type.Boolean({ description: "It waits for a hand-over now" }),
    organization: nullable(Type.Object({ id: Uuid, slug: Type.String() }), {
      description: "The filter it signalled with",
    }),
    agent_types: nullable(Type.Array(Type.Object({ id: Uuid, slug: Type.String() })), {
      description: "The filter it signalled with",
    }),
    last_signal_at: Instant,
  },
  "An executor as it was seen in the last hour: an observation, not a registration",
);
export type Executor = Static<typeof Executor>;

export const executorOperations = {
  listExecutors: operation({
    method: "GET",
    path: "/executors",
    tag: "Dispatch",
    summary: "List executors",
    description: "Those seen in the last hour, by name.",
    querystring: pageQuery({}),
    response: { 200: page(ref(Executor)) },
  }),
};
