// Where a reader of the stream stands: the id of the last event it has, as `?after=` or `Last-Event-ID`.
import { invalid } from "../platform/problems.ts";

const form = /^\d{16}$/;

/** The place to go on from, if one is given. Throws `invalid_request` for what was never an id, or for two that differ. */
export const readPosition = (after: string | undefined, lastEventId: string | undefined): string | undefined => {
  // Some clients send the header empty before they have one.
  const header = lastEventId || undefined;
  const given = { "?after": after, "?last-event-id": header };
  for (const [pointer, id] of Object.entries(given)) {
    if (id !== undefined && !form.test(id)) throw invalid(pointer, "is not the id of an event");
  }
  if (after !== undefined && header !== undefined && after !== header) {
    throw invalid("?after", "differs from the header Last-Event-ID; send one of them");
  }
  return after ?? header;
};
