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
  id: Type.String({
    description: "Opaque; of two, the one that sorts later came later",
    examples: ["0000000000184467"],
  }),
  at: Instant,
  type: oneOf(eventTypes),
  organization_id: nullable(Uuid),
  task_id: nullable(Uuid),
  actor: Actor,
  data: Type.Record(Type.String(), Type.Unknown(), { description: "What changed; its keys depend on the type" }),
});
export type Event = Static<typeof Event>;

const EventQuery = pageQuery({
  organization: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: "Id or slug" })),
  task: Type.Optional({ ...Uuid, description: "Id of a task" }),
  type: Type.Optional(
    Type.Array(oneOf(eventTypes), { minItems: 1, maxItems: eventTypes.length, description: "Any of them" }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "`id` of an event: only what came after it",
      examples: ["0000000000184467"],
    }),
  ),
});
export type EventQuery = Static<typeof EventQuery>;
export type EventFilters = Pick<EventQuery, "organization" | "task" | "type">;

const LastEventId = Type.Object({
  "last-event-id": Type.Optional(
    Type.String({ maxLength: 64, description: "The same as `after`, as clients of streams send it" }),
  ),
});

export const eventOperations = {
  listEvents: operation({
    method: "GET",
    path: "/events",
    tag: "History",
    summary: "Follow what happens",
    description: `With \`Accept: application/json\` it pages events, newest first, down to \`after\` if given. \`limit\` and \`cursor\` are for pages only.
Pages show all there still is: events are deleted within a day after their time of keeping (a year, unless set otherwise) is over, a
task's last one only after it is followed by another or the task is deleted.

Otherwise it is a stream of Server-Sent Events that goes on until the token expires: each frame has the event's \`id\`, its type as
\`event\` and the event as JSON in \`data\`; a comment every 15 s shows that the connection lives. It begins now, with a frame that
has nothing but the \`id\` of the newest event there is. Read again with the last \`id\` you got, as \`Last-Event-ID\` or \`after\`, and
it goes on where you left off, without gap or repeat, on any replica. If that event is no longer kept, a frame \`event: reset\` comes
first: things happened that you will not be told, read anew what you show. A client that reads too slowly is cut off, and resumes.`,
    querystring: EventQuery,
    headers: LastEventId,
    response: { 200: page(ref(Event)) },
    stream: "Frames of Server-Sent Events: `id`, `event`, `data`, or a comment",
    problems: ["unknown_filter"],
  }),
  listTaskEvents: operation({
    method: "GET",
    path: "/tasks/:id/events",
    tag: "History",
    summary: "List what happened to a task",
    description: "Newest first; also after it was deleted.",
    params: strict({ id: { ...Uuid, description: "Id of the task" } }),
    querystring: pageQuery({}),
    response: { 200: page(ref(Event)) },
    problems: ["not_found"],
  }),
};
