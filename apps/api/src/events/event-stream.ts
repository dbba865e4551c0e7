// One stream of events to one reader (D-28): from its place through what was kept to what happens now, until it ends.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "@task-service/contract";
import type { FastifyBaseLogger } from "fastify";
import { beatFrame, framesOf, placeFrame, resetFrame, resumeFrame, selectionOf } from "./event-batch.ts";
import type { EventFeed, Listener } from "./event-feed.ts";
import type { EventFilter, Stretch } from "./history-queries.ts";

export interface StreamStart {
  filter: EventFilter;
  /** Where the reader stands; undefined begins now. */
  after: string | undefined;
  /** Its place is no longer kept: it begins now, and is told so. */
  isReset: boolean;
  /** In milliseconds since 1970. */
  expiresAtMs: number;
}

export interface StreamDeps {
  feed: EventFeed;
  /** Reads the first events of a stretch that pass the filter, `replayRows` at most. */
  read(stretch: Stretch): Promise<Event[]>;
  log: FastifyBaseLogger;
}

/** How many events a replaying stream reads at once. */
export const replayRows = 200;

const maxUnsentBytes = 1024 * 1024;
const maxStallMs = 30_000;
const retryMs = 1000;
const longestTimerMs = 2 ** 31 - 1;

/**
 * Prepares a stream that is not visible yet. `open` rejects while the database is out of reach; after it, `begin` writes
 * to the connection, whose head must have been written, until the token expires, the service drains, the reader goes or
 * does not keep up.
 */
export const createEventStream = ({ feed, read, log }: StreamDeps, raw: ServerResponse, start: StreamStart) => {
  const { filter, after, isReset, expiresAtMs } = start;
  const selection = selectionOf(filter);
  const ending = new AbortController();
  let hasBegun = false;
  let position = "";
  let expiry: NodeJS.Timeout | undefined;

  const end = (reason: string): void => {
    if (ending.signal.aborted) return;
    ending.abort(reason);
    clearTimeout(expiry);
    feed.leave(listener);
    if (!hasBegun) return;
    log.info({ reason }, "a stream of events ended");
    if (reason === "too slow") raw.destroy();
    else raw.end();
  };

  /** False once the reader has so much to catch up with that it was cut off. */
  const write = (frames: Buffer): boolean => {
    if (raw.writableLength > maxUnsentBytes) end("too slow");
    return ending.signal.aborted || raw.write(frames);
  };

  const listener: Listener = {
    take: (batch) => {
      const frames = batch.select(selection, position);
      if (batch.upTo > position) position = batch.upTo;
      if (frames.length > 0) write(frames);
    },
    beat: () => hasBegun && write(beatFrame),
    end: () => end("draining"),
  };

  const drained = async (): Promise<void> => {
    const patience = AbortSignal.any([ending.signal, AbortSignal.timeout(maxStallMs)]);
    await once(raw, "drain", { signal: patience }).catch(() => end("too slow"));
  };

  /** Writes what comes after `position` until nothing is between it and what the feed gives next, and joins the feed. */
  const replay = async (): Promise<void> => {
    while (!ending.signal.aborted && position < feed.position()) {
      const upTo = feed.position();
      const events = await read({ after: position, upTo }).catch(async (error: unknown) => {
        log.warn({ err: error }, "a stream of events waits for the database");
        await delay(retryMs, undefined, { signal: ending.signal }).catch(() => {});
        return undefined;
      });
      if (!events) continue;
      position = events.length < replayRows ? upTo : (events.at(-1)?.id ?? upTo);
      if (events.length > 0 && !write(framesOf(events))) await drained();
    }
    // At the moment of the last look at the feed's position: not one event may come between.
    if (!ending.signal.aborted) feed.join(listener);
  };

  return {
    open: async (): Promise<void> => {
      await feed.open(listener);
      // Now is after all that happened before it asked.
      if (after === undefined) await feed.settled();
    },
    end,
    begin: async (): Promise<void> => {
      hasBegun = true;
      // While it opened, its reader went or the service began to drain.
      if (ending.signal.aborted) return void raw.end();
      expiry = setTimeout(() => end("expired"), Math.min(Math.max(0, expiresAtMs - Date.now()), longestTimerMs));
      position = after ?? feed.position();
      write(isReset ? resetFrame(position) : after === undefined ? placeFrame(position) : resumeFrame);
      await replay();
    },
  };
};
