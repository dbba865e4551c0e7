// The tools for notes: word that people and workers leave each other on a task.
import { maxNoteCharacters, noteOperations, strict, text } from "@task-service/contract";
import { ownDispatch, taskIdFor, tool } from "./mcp-tool.ts";
import { OptionalTaskId } from "./task-tools.ts";

export const leaveNote = tool({
  name: "leave_note",
  description:
    "Leaves a note on a task for people and for the next worker, who is given the last 20 with the prompt. Use it for progress, findings, and what you would want to know if you had to take over. It does not wake or interrupt anyone; what the work led to belongs into `result` (update_task).",
  inputSchema: strict({ id: OptionalTaskId, text: text(1, maxNoteCharacters, { description: "Markdown" }) }),
  isReadOnly: false,
  call: (context, { id: named, text }) => {
    const id = taskIdFor(context, named);
    return context.client.createNote({ params: { id }, body: { text, ...ownDispatch(context, id) } });
  },
});

const { limit, cursor } = noteOperations.listNotes.querystring.properties;

export const listNotes = tool({
  name: "list_notes",
  description:
    "Lists the notes on a task, newest first: what people and earlier workers left, and why it was given back or requeued. Answers {items, next_cursor}.",
  inputSchema: strict({ id: OptionalTaskId, limit, cursor }),
  isReadOnly: true,
  call: (context, { id, ...query }) => context.client.listNotes({ params: { id: taskIdFor(context, id) }, query }),
});
