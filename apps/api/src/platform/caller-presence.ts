// Whether the caller is still there to be answered (D-26).
import type { FastifyReply } from "fastify";

/** Has `act` run once the connection has gone before the answer was written whole; at once if it has gone already. */
export type WhenUnanswered = (act: () => void) => void;

export const whenUnanswered =
  ({ raw }: FastifyReply): WhenUnanswered =>
  (act) => {
    if (raw.closed) act();
    else raw.once("close", () => !raw.writableFinished && act());
  };
