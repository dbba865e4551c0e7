// Follows the history for all streams of this process: one reader of the database, and only while somebody listens.
import type { Event } from "@task-service/contract";
import { type Sql, within } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { repeat } from "../platform/repetition.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import { createBatch, type EventBatch } from "./event-batch.ts";
import { createEventHorizon } from "./event-horizon.ts";
import { beforeFirst, lastEventId, readStretch } from "./history-queries.ts";

/** A stream, as the feed knows it. */
export interface Listener {
  /** Called for all that comes after the place where the feed stood when it joined. */
  take(batch: EventBatch): void;
  /** Shows its reader that the connection lives. */
  beat(): void;
  /** Ends it; it may come again. */
  end(): void;
}

export interface EventFeed {
  /** Resolves when the feed follows the history. From then on {@link position} holds until the listener leaves. */
  open(listener: Listener): Promise<void>;
  /** The id of the last event it gave to who joined. */
  position(): string;
  /** From now on the listener takes what comes. */
  join(listener: Listener): void;
  leave(listener: Listener): void;
  /** How many listeners there are. */
  openStreams(): number;
  /** Has it look soon: something has happened. */
  nudge(): void;
  /** Resolves to the id up to which all that was committed before the call can be read; who joined has got it then. */
  settled(): Promise<string>;
  /** Ends all streams; those that come later, at once. */
  drain(): void;
}

export interface FeedOptions {
  sql: Sql;
  log: Logger;
  heartbeatMs?: number;
}

const pollMs = 250;
const soonMs = 20;
/** So long after it got no further, a look is worth no more than a poll: a transaction stays open. */
const patienceMs = 100;
const silenceMs = 6000;
/** As many as one statement reads; between two the readers' sockets get their turn. */
const batchRows = 200;

export const createEventFeed = ({ sql, log, heartbeatMs = 15_000 }: FeedOptions): EventFeed => {
  const horizon = createEventHorizon(sql);
  const listeners = new Set<Listener>();
  const joined = new Set<Listener>();
  /** Undefined while nobody follows. */
  let position: string | undefined;
  /** There is nothing between {@link position} and this: an id that was drawn in vain, say. */
  let readUpTo = beforeFirst;
  let following: { isReady: Promise<void>; stop: () => void } | undefined;
  let soon: NodeJS.Timeout | undefined;
  /** Since when looks show that something was drawn, and get no further. */
  let stalledSinceMs: number | undefined;
  let isDrained = false;

  const endAll = (): void => {
    for (const listener of listeners) listener.end();
  };

  const publish = (events: readonly Event[]): void => {
    const [first, ...others] = events;
    if (!first) return;
    const batch = createBatch([first, ...others]);
    position = batch.upTo;
    for (const listener of joined) listener.take(batch);
  };

  const look = createSingleFlight(async () => {
    if (position === undefined) return;
    const { upTo, isBehind } = await horizon.look();
    stalledSinceMs = isBehind && upTo === readUpTo ? (stalledSinceMs ?? performance.now()) : undefined;
    while (position !== undefined && readUpTo !== upTo) {
      const after: string = position;
      // Ids went back: this is another database or an older state of it. Whoever resumes will be told.
      if (upTo < after) return endAll();
      const events = await within(silenceMs, readStretch(sql, {}, { after, upTo }, batchRows));
      if (position !== after) return;
      publish(events);
      if (events.length < batchRows) readUpTo = upTo;
    }
    if (isBehind) lookSoon();
  });

  const lookSoon = (): void => {
    if (position === undefined || soon) return;
    if (stalledSinceMs !== undefined && performance.now() - stalledSinceMs > patienceMs) return;
    soon = setTimeout(() => {
      soon = undefined;
      // The next look, a moment later, is the one that tells of failures.
      look().catch((error: unknown) => log.debug({ err: error }, "a look at the history failed"));
    }, soonMs);
  };

  const follow = () => {
    const begin = async (): Promise<void> => {
      const upTo = await horizon.reach();
      const last = await within(silenceMs, lastEventId(sql, upTo));
      if (following !== begun) return;
      position = last;
      readUpTo = upTo;
    };
    const stops = [
      repeat("following the history", pollMs, log, look),
      repeat("showing that streams live", heartbeatMs, log, async () => {
        for (const listener of listeners) listener.beat();
      }),
    ];
    const stop = (): void => {
      for (const one of stops) one();
    };
    const begun = { isReady: begin(), stop };
    return begun;
  };

  const leave = (listener: Listener): void => {
    joined.delete(listener);
    listeners.delete(listener);
    if (listeners.size > 0) return;
    following?.stop();
    following = undefined;
    position = undefined;
    stalledSinceMs = undefined;
  };

  return {
    open: async (listener) => {
      listeners.add(listener);
      following ??= follow();
      await following.isReady.catch((error: unknown) => {
        leave(listener);
        throw error;
      });
      if (isDrained) listener.end();
    },
    position: () => position ?? beforeFirst,
    join: (listener) => joined.add(listener),
    leave,
    openStreams: () => listeners.size,
    nudge: lookSoon,
    settled: async () => {
      const upTo = await horizon.reach();
      await look();
      return upTo;
    },
    drain: () => {
      isDrained = true;
      clearTimeout(soon);
      endAll();
    },
  };
};
