// Leaving notes on tasks (D-38): by people, by workers, and as the reason why a dispatch was given up (D-25).
import type { Actor, Note, NoteCreate } from "@task-service/contract";
import { excerpt } from "../events/event-queries.ts";
import type { CreationKey } from "../idempotency/creation-keys.ts";
import { RetryTransaction, retrying, type Sql, type Transaction } from "../platform/database.ts";
import { createId, timeOfId } from "../platform/identifiers.ts";
import { missing } from "../platform/problems.ts";
import { findNotedTask, insertNote, leaveNote } from "./note-queries.ts";
import { checkDispatch } from "./task-guards.ts";
import type { DispatchWrites } from "./task-service.ts";

export interface NoteDeps {
  sql: Sql;
  dispatches: Pick<DispatchWrites, "renewing">;
}

const draftNote = (note: Omit<Note, "id" | "at">): Note => {
  const id = createId();
  return { ...note, id, at: new Date(timeOfId(id)).toISOString() };
};

/**
 * Leaves a note and renews the lease of the dispatch it names; undefined if the key is bound already.
 * Throws `not_found` or `stale_dispatch`.
 */
export const createNote = (
  { sql, dispatches }: NoteDeps,
  taskId: string,
  { text, dispatch_id }: NoteCreate,
  actor: Actor,
  key?: CreationKey,
): Promise<Note | undefined> =>
  retrying(async () => {
    const note = draftNote({
      task_id: taskId.toLowerCase(),
      dispatch_id: dispatch_id?.toLowerCase() ?? null,
      actor,
      text,
    });
    const data = { note_id: note.id, text: excerpt(text), ...(dispatch_id && { dispatch_id: note.dispatch_id }) };
    if (await leaveNote(sql, note, { key, data, renewing: dispatches.renewing })) return note;
    const task = await findNotedTask(sql, taskId);
    if (!task) throw missing("task");
    checkDispatch(task, dispatch_id);
    if (key === undefined) throw new RetryTransaction();
    return undefined;
  });

/** Whether a reason says anything. */
export const isWord = (reason: string | null): reason is string => reason !== null && reason.trim() !== "";

/** Keeps a caller's reason as a note. The event of what it explains holds it already: it gets none of its own. */
export const noteReason = (
  transaction: Transaction,
  {
    task_id,
    dispatch_id,
    actor,
    reason,
  }: { task_id: string; dispatch_id: string | null; actor: Actor; reason: string },
): Promise<void> => insertNote(transaction, draftNote({ task_id, dispatch_id, actor, text: reason }));
