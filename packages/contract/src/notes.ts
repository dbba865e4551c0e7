// Notes: how people and workers leave each other word on a task (D-38).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { IdempotencyKey, idempotencyProblems } from "./idempotency.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Instant, named, nullable, ref, strict, text, Uuid } from "./schema.ts";

export const maxNoteCharacters = 65_536;

export const Note = named("Note", {
  id: Uuid,
  task_id: Uuid,
  dispatch_id: nullable(Uuid, { description: "The dispatch whose worker left it, or that it says why it ended" }),
  actor: Actor,
  text: Type.String(),
  at: Instant,
});
export type Note = Static<typeof Note>;

export const NoteCreate = strict(
  {
    text: text(1, maxNoteCharacters),
    dispatch_id: Type.Optional({
      ...Uuid,
      description: "The dispatch this comes from: refused once another has followed it; renews its lease",
    }),
  },
  { title: "NoteCreate" },
);
export type NoteCreate = Static<typeof NoteCreate>;

const params = strict({ id: { ...Uuid, description: "Id of the task" } });
const tag = "Tasks";

export const noteOperations = {
  createNote: operation({
    method: "POST",
    path: "/tasks/:id/notes",
    tag,
    summary: "Leave a note on a task",
    description: "Whoever takes the task over is given the last 20. The task's version stays as it is.",
    params,
    headers: IdempotencyKey,
    body: NoteCreate,
    response: { 201: ref(Note) },
    problems: ["not_found", "stale_dispatch", ...idempotencyProblems],
  }),
  listNotes: operation({
    method: "GET",
    path: "/tasks/:id/notes",
    tag,
    summary: "List a task's notes, newest first",
    description: "Why a dispatch was released or requeued is a note too.",
    params,
    querystring: pageQuery({}),
    response: { 200: page(ref(Note)) },
    problems: ["not_found"],
  }),
  getNote: operation({
    method: "GET",
    path: "/tasks/:id/notes/:note",
    tag,
    summary: "Read a note",
    params: strict({ ...params.properties, note: Uuid }),
    response: { 200: ref(Note) },
    problems: ["not_found"],
  }),
};
