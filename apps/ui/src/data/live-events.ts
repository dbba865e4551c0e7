// The one live connection of a tab: follows the events, and says whether it stands (D-28).
import { type ClientOptions, type Event, readEvents } from "@task-service/contract";
import { SignedOutError } from "../lib/signed-out-error.ts";

/** An event, or word that anything may have changed. */
export type News = Event | "anything";

export interface LiveEvents {
  /** While it stands, what changes is told and need not be asked for. */
  isUp: () => boolean;
  /** Hears when that changes, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
  /** Has `tell` called with all that happens from now on, until the returned function is called. For one at a time. */
  follow: (tell: (news: News) => void) => () => void;
}

export interface LiveOptions extends Pick<ClientOptions, "baseUrl" | "fetch"> {
  /** Called for every connection. Rejects with {@link SignedOutError} if nobody is signed in. */
  token: () => Promise<string>;
  /** The shortest pause before it connects again. */
  retryMs?: number;
}

/** A browser opens six connections to a server, so a tab that nobody looks at gives its own back. */
const outOfSightMs = 60_000;
/** What was missed for longer is read anew: to be told all of it could take longer. */
const worthResumingMs = 60_000;
/** A refusal is heard by the queries too, and they know what to do about it. */
const refusedMs = 30_000;
/** A short break is made up for when the connection is back. */
const shortBreakMs = 2_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

const untilSeen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve();
    const listening = new AbortController();
    const end = () => {
      if (document.hidden && !signal.aborted) return;
      listening.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", end, { signal: listening.signal });
    signal.addEventListener("abort", end, { signal: listening.signal });
  });

/** Aborted once the page was hidden for a minute, or with `over`. */
const whileSeen = (over: AbortSignal): AbortSignal => {
  const unseen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => unseen.abort(), outOfSightMs);
  };
  const ended = AbortSignal.any([over, unseen.signal]);
  document.addEventListener("visibilitychange", look, { signal: ended });
  ended.addEventListener("abort", () => clearTimeout(timer));
  look();
  return ended;
};

/** Nothing is connected until somebody follows. It ends for good when nobody is signed in any more. */
export const createLiveEvents = (options: LiveOptions): LiveEvents => {
  const { token, fetch = globalThis.fetch } = options;
  const listeners = new Set<() => void>();
  let isUp = false;
  const setUp = (next: boolean) => {
    if (next === isUp) return;
    isUp = next;
    for (const listener of listeners) listener();
  };

  /** Reads from now on, over as many connections as it takes, until it lags too far behind or `signal` is aborted. */
  const read = async (tell: (news: News) => void, signal: AbortSignal, signOut: () => void): Promise<void> => {
    const lagging = new AbortController();
    let heardAt = Date.now();
    let hasBegun = false;
    const events = readEvents({
      ...options,
      signal: AbortSignal.any([signal, lagging.signal]),
      // Asked for whenever it connects: the last connection is no more.
      token: async () => {
        if (isUp) setTimeout(() => !isUp && !signal.aborted && tell("anything"), shortBreakMs);
        setUp(false);
        if (Date.now() - heardAt > worthResumingMs) lagging.abort();
        return token().catch((error: unknown) => {
          if (error instanceof SignedOutError) signOut();
          throw error;
        });
      },
      fetch: async (...request) => {
        const response = await fetch(...request);
        if (!response.ok) return response;
        heardAt = Date.now();
        setUp(true);
        // It tells from now on: what is on screen may have been read before.
        if (!hasBegun) tell("anything");
        hasBegun = true;
        return response;
      },
    });
    for await (const event of events) {
      heardAt = Date.now();
      tell(event.type === "reset" ? "anything" : event);
    }
  };

  const follow = (tell: (news: News) => void) => {
    const over = new AbortController();
    const run = async () => {
      while (!over.signal.aborted) {
        await untilSeen(over.signal);
        await read(tell, whileSeen(over.signal), () => over.abort()).catch(async () => {
          setUp(false);
          await pause(refusedMs, over.signal);
        });
      }
      setUp(false);
    };
    void run();
    return () => over.abort();
  };

  return {
    isUp: () => isUp,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow,
  };
};
