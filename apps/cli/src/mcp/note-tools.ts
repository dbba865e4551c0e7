// The tools for notes: word that people and workers leave each other on a task.
import { maxNoteCharacters, noteOperations, nullable, strict, text, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, ownDispatch, taskIdFor, tool } from "./mcp-tool.ts";
import { OptionalTaskId } from "./task-tools.ts";
import { Cut, cutText, MaxCharacters } from "./text-cut.ts";

const { limit, cursor } = noteOperations.listNotes.querystring.properties;
const shown = 20;

export const leaveNote = tool({
  name: "leave_note",
  title: "Leave a note on a task",
  description: `Leaves a note on a task for people and for the task's next worker, who is given the last ${shown}. Use it for progress, findings, and what you would want to know if you had to take over. It wakes and interrupts nobody, and cannot be taken back. What the work led to belongs into \`result\` (update_task); new work into a task of its own (create_task).`,
  effect: "adds",
  inputSchema: strict({
    id: OptionalTaskId,
    text: text(1, maxNoteCharacters, { description: `The note, Markdown; up to ${maxNoteCharacters} characters` }),
  }),
  outputSchema: Type.Object({ id: { ...Uuid, description: "Of the note" }, task_id: Uuid, at: Type.String() }),
  call: async (context, { id: named, text }) => {
    const task = taskIdFor(context, named);
    const body = { text, ...ownDispatch(context, task) };
    const { id, task_id, at } = await context.client.createNote({ params: { id: task }, body });
    return { id, task_id, at };
  },
});

export const listNotes = tool({
  name: "list_notes",
  title: "List the notes on a task",
  description:
    "Lists the notes on a task, newest first: what people and earlier workers left, and why the task was given back or returned to the queue.",
  effect: "reads",
  inputSchema: strict({
    id: OptionalTaskId,
    limit: optional(limit, `How many to answer; ${shown} if left out`),
    cursor,
    max_characters: MaxCharacters,
  }),
  outputSchema: Type.Object({
    items: Type.Array(
      Type.Object({
        by: Type.String({ description: "Who left it" }),
        at: Type.String(),
        text: Type.String(),
        dispatch_id: nullable(Uuid, { description: "The run it comes from" }),
      }),
    ),
    next_cursor: nullable(Type.String()),
    cut: Cut,
  }),
  quotes: "by and text",
  call: async (context, { id, limit = shown, max_characters, ...query }) => {
    const params = { id: taskIdFor(context, id) };
    const { items, next_cursor } = await context.client.listNotes({ params, query: { limit, ...query } });
    const cut: string[] = [];
    // A page of long notes is no longer than one long text.
    const each = max_characters ?? Math.floor(20_000 / Math.max(items.length, 1));
    const notes = items.map(({ actor, at, text, dispatch_id }, index) => ({
      by: actor.name,
      at,
      text: cutText(`items.${index}.text`, text, cut, each),
      dispatch_id,
    }));
    return { items: notes, next_cursor, cut };
  },
});
