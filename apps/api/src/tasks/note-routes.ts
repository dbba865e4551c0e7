// HTTP of notes (D-38).
import { operations } from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import type { CreateOnce } from "../idempotency/idempotent-creation.ts";
import { endpoint } from "../platform/endpoint.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { missing } from "../platform/problems.ts";
import { findNote, listNotes } from "./note-queries.ts";
import { createNote, type NoteDeps } from "./note-service.ts";
import { findTask } from "./task-queries.ts";

export const addNoteRoutes = (app: FastifyInstance, deps: NoteDeps & { createOnce: CreateOnce }): void => {
  const { sql, createOnce } = deps;

  endpoint(app, operations.createNote, async (request, reply) => {
    const { params, body, caller } = request;
    const note = await createOnce(request, reply, {
      create: (key) => createNote(deps, params.id, body, caller.actor, key),
      find: ([id = ""]) => findNote(sql, params.id, id),
    });
    reply.header("Location", `notes/${note.id}`);
    return note;
  });

  endpoint(app, operations.listNotes, async ({ params, query }) => {
    const [before] = readCursor(query, ["uuid"]) ?? [];
    const notes = await listNotes(sql, params.id, before, rowsToRead(query));
    if (notes.length === 0 && !(await findTask(sql, params.id))) throw missing("task");
    return toPage(query, notes, ({ id }) => [id]);
  });

  endpoint(app, operations.getNote, async ({ params }) => {
    const note = await findNote(sql, params.id, params.note);
    if (!note) throw missing("note");
    return note;
  });
};
