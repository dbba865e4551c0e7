// Handing tasks to executors and hearing from them again (D-18 to D-26).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { AgentTypeSource } from "./agent-types.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Count, Instant, NoFields, named, nullable, oneOf, ref, strict, text, Uuid, visible } from "./schema.ts";
import { IfMatch, Task } from "./tasks.ts";

export const minLeaseSeconds = 10;
export const maxLeaseSeconds = 86_400;
export const maxWaitSeconds = 50;

export const outcomes = ["finished", "released", "requeued", "expired", "lost", "disconnected"] as const;
export type Outcome = (typeof outcomes)[number];

const dispatchFields = {
  id: Uuid,
  task_id: Uuid,
  organization_id: Uuid,
  agent_type_id: Uuid,
  agent_type_version_id: Uuid,
  executor: Type.String(),
  actor: { ...Actor, description: "Who took it" },
  attempt: { ...Count, description: "1 for the task's first dispatch" },
  dispatched_at: Instant,
  lease_seconds: nullable(Count, { description: "Null: live until somebody ends it" }),
  lease_expires_at: nullable(Instant),
  last_heard_at: Instant,
  input_tokens: Count,
  output_tokens: Count,
  ended_at: nullable(Instant, { description: "Null while it is live" }),
  outcome: nullable(oneOf(outcomes), { description: "Null while it is live" }),
  reason: nullable(Type.String(), { description: "Why it was released, requeued or lost" }),
};

export const Dispatch = named("Dispatch", dispatchFields);
export type Dispatch = Static<typeof Dispatch>;

/** An agent type as one dispatch carried it: body and source are frozen by version. */
export const DispatchedAgentType = named("DispatchedAgentType", {
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  body: Type.String(),
  is_active: Type.Boolean(),
  source: AgentTypeSource,
});
export type DispatchedAgentType = Static<typeof DispatchedAgentType>;

export const DispatchDetail = named("DispatchDetail", { ...dispatchFields, agent_type: ref(DispatchedAgentType) });
export type DispatchDetail = Static<typeof DispatchDetail>;

export const Handoff = named(
  "Handoff",
  {
    dispatch: ref(Dispatch),
    task: ref(Task),
    agent_type: ref(DispatchedAgentType),
    notes: Type.Array(Type.Object({ at: Instant, actor: Actor, text: Type.String() }), {
      description: "The last 20 notes, oldest first",
    }),
  },
  "What an executor is given: the task's prompt and the persona's body",
);
export type Handoff = Static<typeof Handoff>;

const reason = Type.Optional(
  nullable(text(0, 4096), { description: "For people, and for whoever takes the task next" }),
);
export const Release = strict({ reason }, { title: "Release" });
export type Release = Static<typeof Release>;
export const Requeue = strict(
  {
    reason,
    dispatch_id: Type.Optional({
      ...Uuid,
      description: "The dispatch you know of: refused once another has followed it",
    }),
  },
  { title: "Requeue" },
);
export type Requeue = Static<typeof Requeue>;

export const maxSlots = 100;
export const maxHeldIds = 1000;

const ExecutorName = visible(100, {
  description: "Name of the executor: one process at a time, kept when it restarts",
});
const OrganizationFilter = Type.String({ minLength: 1, maxLength: 40, description: "Id or slug", examples: ["acme"] });
const AgentTypesFilter = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: "Ids, or slugs if `organization` is given",
});
const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: maxWaitSeconds,
  default: 0,
  description: "With nothing to hand over the request is held until there is, at most so long",
});
const LeaseSeconds = Type.Integer({
  minimum: minLeaseSeconds,
  maximum: maxLeaseSeconds,
  description: "The task returns to the queue when nothing was heard for so long; without it, never",
});
const ClaimKey = visible(255, {
  description: "Fresh for each hand-over, repeated only to retry it: the same dispatches are answered",
});

const NextQuery = strict({
  executor: Type.Optional({ ...ExecutorName, description: "Name of the executor; the caller's own name by default" }),
  organization: Type.Optional(OrganizationFilter),
  agent_type: Type.Optional(AgentTypesFilter),
  wait_seconds: Type.Optional(WaitSeconds),
  lease_seconds: Type.Optional(LeaseSeconds),
  claim_key: Type.Optional(ClaimKey),
});
export type NextQuery = Static<typeof NextQuery>;

const HeldIds = (description: string) => Type.Array(Uuid, { maxItems: maxHeldIds, description });

export const CapacitySignal = strict(
  {
    executor: ExecutorName,
    slots: Type.Integer({
      minimum: 0,
      maximum: maxSlots,
      description: "All free slots of this executor now, never added to an earlier signal; 0 only reports",
    }),
    wait_seconds: Type.Optional(WaitSeconds),
    organization: Type.Optional(OrganizationFilter),
    agent_types: Type.Optional(AgentTypesFilter),
    lease_seconds: Type.Optional(LeaseSeconds),
    claim_key: Type.Optional(ClaimKey),
    sequence: Type.Optional({
      ...Count,
      description: "Grows with every signal of this executor; start from the clock",
    }),
    holding: Type.Optional(
      HeldIds(
        "Every dispatch this executor runs: one handed to it and not named was lost on the way and is queued again",
      ),
    ),
    finished: Type.Optional(HeldIds("Dispatches whose worker has ended")),
  },
  { title: "CapacitySignal" },
);
export type CapacitySignal = Static<typeof CapacitySignal>;

export const CapacityAnswer = named("CapacityAnswer", {
  dispatches: Type.Array(ref(Handoff), { description: "In the order of the queue" }),
  revoked: Type.Array(Uuid, { description: "What this executor named and no longer holds: stop and forget it" }),
});
export type CapacityAnswer = Static<typeof CapacityAnswer>;

const DispatchQuery = pageQuery({
  executor: Type.Optional(ExecutorName),
  task: Type.Optional({ ...Uuid, description: "Id of a task" }),
  live: Type.Optional(Type.Boolean({ description: "Whether it goes on; both, if left out" })),
});
export type DispatchQuery = Static<typeof DispatchQuery>;

const dispatchParams = strict({ id: { ...Uuid, description: "Id of the dispatch" } });
const taskParams = strict({ id: { ...Uuid, description: "Id of the task" } });
const tag = "Dispatch";

export const dispatchOperations = {
  takeNextTask: operation({
    method: "GET",
    path: "/tasks/next",
    tag,
    summary: "Take the next task",
    description:
      "The first in the queue that suits the filters. A request that may be repeated on its way needs a `claim_key`.",
    querystring: NextQuery,
    response: {
      200: ref(Handoff, { description: "The task, and the persona to work on it as." }),
      204: Type.Null({ description: "Nothing to hand over." }),
    },
    problems: ["unknown_filter", "claim_key_spent"],
  }),
  signalCapacity: operation({
    method: "POST",
    path: "/capacity",
    tag,
    summary: "Signal free capacity",
    description:
      "Reports what ended and what runs, and takes what there is. Settled in this order: `finished`, `holding`, then the claim. A newer signal of the same executor makes a waiting one answer empty.",
    body: CapacitySignal,
    response: { 200: ref(CapacityAnswer, { description: "What was handed over, and what to stop." }) },
    problems: ["unknown_filter", "claim_key_spent", "stale_signal"],
  }),
  listDispatches: operation({
    method: "GET",
    path: "/dispatches",
    tag,
    summary: "List dispatches, newest first",
    querystring: DispatchQuery,
    response: { 200: page(ref(Dispatch)) },
  }),
  getDispatch: operation({
    method: "GET",
    path: "/dispatches/:id",
    tag,
    summary: "Read a dispatch",
    description: "With the persona as it was handed over.",
    params: dispatchParams,
    response: { 200: ref(DispatchDetail) },
    problems: ["not_found"],
  }),
  listTaskDispatches: operation({
    method: "GET",
    path: "/tasks/:id/dispatches",
    tag,
    summary: "List a task's dispatches, newest first",
    params: taskParams,
    querystring: pageQuery({}),
    response: { 200: page(ref(Dispatch)) },
    problems: ["not_found"],
  }),
  heartbeatDispatch: operation({
    method: "POST",
    path: "/dispatches/:id/heartbeat",
    tag,
    summary: "Keep a dispatch alive",
    description: "Renews the lease, if it has one.",
    params: dispatchParams,
    body: NoFields,
    isBodyOptional: true,
    response: { 200: ref(Dispatch) },
    problems: ["not_found", "stale_dispatch"],
  }),
  finishDispatch: operation({
    method: "POST",
    path: "/dispatches/:id/finish",
    tag,
    summary: "Finish a dispatch",
    description:
      "The worker has ended. The task stays dispatched: the service tracks no completion. Repeating it is no fault.",
    params: dispatchParams,
    body: NoFields,
    isBodyOptional: true,
    response: { 200: ref(Dispatch) },
    problems: ["not_found", "stale_dispatch"],
  }),
  releaseDispatch: operation({
    method: "POST",
    path: "/dispatches/:id/release",
    tag,
    summary: "Release a dispatch",
    description: "Gives the task back: it returns to its place in the queue. Repeating it is no fault.",
    params: dispatchParams,
    body: Release,
    isBodyOptional: true,
    response: { 200: ref(Dispatch) },
    problems: ["not_found", "stale_dispatch"],
  }),
  requeueTask: operation({
    method: "POST",
    path: "/tasks/:id/requeue",
    tag,
    summary: "Requeue a task",
    description: "A dispatched task returns to its place in the queue; a worker that has it is told.",
    params: taskParams,
    headers: IfMatch,
    body: Requeue,
    isBodyOptional: true,
    response: { 200: ref(Task) },
    problems: ["not_found", "already_queued", "stale_dispatch", "precondition_failed"],
  }),
};
