// The history table: appended to in the transaction of each change (D-28), never updated.
import type { Actor, EventType } from "@task-service/contract";
import type { Queryable } from "../platform/database.ts";

const maxTextCharacters = 4096;

export interface NewEvent {
  type: EventType;
  organization_id: string | null;
  task_id?: string;
  actor: Actor;
  data?: Record<string, unknown>;
}

/** The service itself, for changes that no caller asked for. */
export const serviceActor: Actor = { sub: "task-service", name: "task service" };

/** Long text stands in the history as its beginning, with `truncated: true` beside it. */
export const excerpt = (value: unknown): unknown => {
  if (typeof value !== "string" || value.length <= maxTextCharacters) return value;
  const characters = [...value];
  if (characters.length <= maxTextCharacters) return value;
  return { text: characters.slice(0, maxTextCharacters).join(""), truncated: true };
};

export const appendEvent = async (
  sql: Queryable,
  { type, organization_id, task_id, actor, data }: NewEvent,
): Promise<void> => {
  await sql`
    insert into events (type, organization_id, task_id, actor, data)
    values (${type}, ${organization_id}, ${task_id ?? null}, ${sql.json({ ...actor })}, ${sql.json((data ?? {}) as never)})
  `;
};
