// The history: every change, written with the change (D-28).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Instant, named, nullable, oneOf, ref, strict, Uuid } from "./schema.ts";

export const eventTypes = [
  "task.created",
  "task.updated",
  "task.dispatched",
  "task.finished",
  "task.released",
  "task.lost",
  "task.expired",
  "task.disconnected",
  "task.requeued",
  "task.deleted",
  "task.mirrored",
  "task.noted",
  "organization.created",
  "organization.updated",
  "organization.deleted",
  "agents.synced",
] as const;
export type EventType = (typeof eventTypes)[number];

export const Event = named("Event", {
  id: Type.String({ description: "Opaque; grows with the stream" }),
  at: Instant,
  type: oneOf(eventTypes),
  organization_id: nullable(Uuid),
  task_id: nullable(Uuid),
  actor: Actor,
  data: Type.Record(Type.String(), Type.Unknown(), { description: "What changed; its keys depend on the type" }),
});
export type Event = Static<typeof Event>;

export const eventOperations = {
  listTaskEvents: operation({
    method: "GET",
    path: "/tasks/:id/events",
    tag: "History",
    summary: "List what happened to a task, newest first; also after it was deleted",
    params: strict({ id: Uuid }),
    querystring: pageQuery({}),
    response: { 200: page(ref(Event)) },
    problems: ["not_found"],
  }),
};
