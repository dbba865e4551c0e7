// Events as frames of the stream, serialised once for all readers who want the same.
import type { Event } from "@task-service/contract";
import type { EventFilter } from "./history-queries.ts";

/** What a reader filters by, with a key that is the same for all who filter alike. */
export interface Selection {
  readonly filter: EventFilter;
  readonly key: string;
}

export const selectionOf = (filter: EventFilter): Selection => ({ filter, key: JSON.stringify(filter) });

/** The same choice as the one of the queries. */
const isWanted = ({ organization_id, task_id, types }: EventFilter, event: Event): boolean =>
  (organization_id === undefined || event.organization_id === organization_id) &&
  (task_id === undefined || event.task_id === task_id) &&
  (types === undefined || types.includes(event.type));

const frameOf = (event: Event): string => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Frames of events that came in this order. */
export const framesOf = (events: readonly Event[]): Buffer => Buffer.from(events.map(frameOf).join(""));

/** Tells a reader its place without telling of an event. */
export const placeFrame = (id: string): Buffer => Buffer.from(`retry: 1000\nid: ${id}\n\n`);

/** Tells a reader that its place is no longer kept, and where it goes on. */
export const resetFrame = (id: string): Buffer => Buffer.from(`retry: 1000\nid: ${id}\nevent: reset\ndata: {}\n\n`);

/** Goes on silently where the reader says it is. */
export const resumeFrame = Buffer.from("retry: 1000\n\n");

export const beatFrame = Buffer.from(": still here\n\n");

export interface EventBatch {
  /** The id of its last event. */
  readonly upTo: string;
  /** The frames a reader wants who has what came up to `after`; empty if there are none. */
  select(selection: Selection, after: string): Buffer;
}

export const createBatch = (events: readonly [Event, ...Event[]]): EventBatch => {
  const [first] = events;
  const frames = events.map((event) => ({ event, text: frameOf(event) }));
  const selected = new Map<string, Buffer>();

  const choose = ({ filter }: Selection, after: string): Buffer =>
    Buffer.from(
      frames.flatMap(({ event, text }) => (event.id > after && isWanted(filter, event) ? [text] : [])).join(""),
    );

  return {
    upTo: frames.at(-1)?.event.id ?? first.id,
    select: (selection, after) => {
      // A reader that came from another replica may be ahead of this one.
      if (after >= first.id) return choose(selection, after);
      const known = selected.get(selection.key) ?? choose(selection, after);
      selected.set(selection.key, known);
      return known;
    },
  };
};
