// The live connection of a browser: one tab reads the events, all tabs of the same person are told of them (D-28).
import { SignedOutError } from "../lib/signed-out-error.ts";
import { aliveMs, openLiveChannel, type TabChannel } from "./live-channel.ts";
import type { News } from "./live-news.ts";
import { readStream, type StreamOptions, worthResumingMs } from "./live-stream.ts";
import { type Page, untilSeen, whenWoken, whileSeen } from "./page-signals.ts";

export interface LiveEvents {
  /** While it stands, what changes is told and need not be asked for. */
  isUp: () => boolean;
  /** Hears when that changes, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
  /** Says that the service did not answer at that moment: a connection that seems to stand since before is made anew. */
  doubt: (atMs: number) => void;
  /**
   * Has `tell` called with all that happens from now on, until the returned function is called. For one at a time.
   * Only tabs of the same `subject`, who is signed in, share what they are told.
   */
  follow: (tell: (news: readonly News[]) => void, subject: string) => () => void;
}

/** What tabs need to share a connection. */
export interface TabSharing {
  locks: Pick<LockManager, "request" | "query">;
  openChannel: (name: string) => TabChannel;
}

export interface LiveOptions extends StreamOptions {
  /** Null: the tab has a connection of its own. */
  sharing: TabSharing | null;
  page?: Page;
}

/** A browser opens six connections to a server, so a tab that nobody looks at gives its own back. */
const outOfSightMs = 60_000;
/** A refusal is heard by the queries too, and they know what to do about it. */
const refusedMs = 30_000;
/** One address that does not answer is no reason to connect again and again. */
const doubtRestMs = 30_000;
/** A short break is made up for when the connection is back. */
const shortBreakMs = 2_000;

/** What this browser has for it; null where tabs cannot agree on who reads. */
export const browserSharing = (): TabSharing | null =>
  "locks" in navigator && "BroadcastChannel" in window
    ? { locks: navigator.locks, openChannel: (name) => new BroadcastChannel(name) }
    : null;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });

/** Nothing is connected until somebody follows. It ends for good when nobody is signed in any more. */
export const createLiveEvents = ({ sharing, page = document, ...stream }: LiveOptions): LiveEvents => {
  const listeners = new Set<() => void>();
  let isUp = false;
  const nobody = (_atMs: number): void => undefined;
  let doubt = nobody;

  const follow = (tell: (news: readonly News[]) => void, subject: string) => {
    const ending = new AbortController();
    const over = ending.signal;
    const name = `task-service live ${subject}`;
    /** Up to where this tab was told, and when. */
    const place: { id: string | undefined; at: number } = { id: undefined, at: 0 };
    let reading: AbortController | undefined;
    let madeAt = 0;
    let doubtedAt = 0;

    const setUp = (next: boolean) => {
      // One who ends late has no say any more: another may follow by now.
      if (doubt !== mine || next === isUp) return;
      isUp = next;
      if (isUp) madeAt = Date.now();
      const isMissed = () => !isUp && !page.hidden && !over.aborted;
      if (!next) setTimeout(() => isMissed() && tell(["anything"]), shortBreakMs);
      for (const listener of listeners) listener();
    };
    const hear = (news: readonly News[], id: string | undefined) => {
      if (id !== undefined && id > (place.id ?? "")) place.id = id;
      place.at = Date.now();
      if (news.length > 0) tell(news);
    };
    const resumable = () => (Date.now() - place.at < worthResumingMs ? place.id : undefined);
    const token = () =>
      stream.token().catch((error: unknown) => {
        if (error instanceof SignedOutError) ending.abort();
        throw error;
      });

    const readAnew = (atMs: number) => {
      if (!isUp || atMs < madeAt || Date.now() - doubtedAt < doubtRestMs) return;
      doubtedAt = Date.now();
      reading?.abort();
    };
    let yieldTurn: () => void = () => undefined;
    let showState: () => void = () => undefined;
    const channel =
      sharing &&
      openLiveChannel(sharing.openChannel(name), {
        lastId: () => place.id,
        hear: (news, isReaderUp, id) => {
          if (isReaderUp || news.length > 0) hear(news, id);
          setUp(isReaderUp);
        },
        want: () => {
          if (page.hidden) yieldTurn();
          else showState();
        },
        doubt: readAnew,
        silence: () => setUp(false),
      });
    const mine = (atMs: number) => {
      if (isUp) channel?.doubt(atMs);
      readAnew(atMs);
    };
    doubt = mine;
    setUp(false);

    /** Reads for all tabs, until another one should. Throws what no later connection can mend. */
    const readForAll = async () => {
      if (page.hidden && sharing) return;
      const turn = new AbortController();
      const signal = AbortSignal.any([turn.signal, whileSeen(page, outOfSightMs, over)]);
      const pass = channel?.startTelling(resumable());
      const showUp = (next: boolean) => {
        setUp(next);
        pass?.(next, [], place.id);
      };
      const tellAll = (news: readonly News[], id: string | undefined) => {
        hear(news, id);
        pass?.(isUp, news, id);
      };
      yieldTurn = () => turn.abort();
      showState = () => pass?.(isUp, [], place.id);
      const sign = setInterval(showState, aliveMs);
      page.addEventListener("visibilitychange", () => void yieldToSeen(), { signal });
      const yieldToSeen = async () => {
        const { pending = [] } = (page.hidden && (await sharing?.locks.query())) || {};
        if (pending.some((request) => request.name === name)) yieldTurn();
      };
      showUp(false);
      try {
        while (!signal.aborted) {
          reading = new AbortController();
          const ended = AbortSignal.any([signal, reading.signal]);
          await readStream({ ...stream, token }, { setUp: showUp, tell: tellAll }, resumable(), ended);
          // It ended by itself: it lags behind, and is read anew.
          if (!ended.aborted) place.id = undefined;
        }
      } finally {
        clearInterval(sign);
        yieldTurn = () => undefined;
        showState = () => undefined;
        setUp(false);
      }
    };

    const run = async () => {
      while (!over.aborted) {
        await untilSeen(page, over);
        if (over.aborted) break;
        channel?.want();
        const inSight = whileSeen(page, 0, over);
        const request = sharing ? sharing.locks.request(name, { signal: inSight }, readForAll) : readForAll();
        await request.catch((error: unknown) =>
          inSight.aborted && error === inSight.reason ? undefined : pause(refusedMs, over),
        );
      }
      channel?.close();
      setUp(false);
      if (doubt === mine) doubt = nobody;
    };
    whenWoken(
      page,
      () => {
        tell(["anything"]);
        reading?.abort();
        channel?.want();
      },
      over,
    );
    void run();
    return () => ending.abort();
  };

  return {
    isUp: () => isUp,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    doubt: (atMs) => doubt(atMs),
    follow,
  };
};
