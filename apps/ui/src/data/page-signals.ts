// When a page is looked at, when it no longer is, and when it wakes up after a sleep.

/** The document, or what stands for it in a test. */
export type Page = Pick<Document, "hidden" | "addEventListener">;

/** The longest that waking up goes unnoticed. */
const tickMs = 1_000;
/** Timers stand still while a computer sleeps. */
const sleptMs = 20_000;
/** One waking is told in several ways. */
const sameWakeMs = 2_000;

/** Resolves once the page is looked at, or with `over`. */
export const untilSeen = (page: Page, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const listening = new AbortController();
    const look = () => {
      if (page.hidden && !over.aborted) return;
      listening.abort();
      resolve();
    };
    page.addEventListener("visibilitychange", look, { signal: listening.signal });
    over.addEventListener("abort", look, { signal: listening.signal });
    look();
  });

/** Aborted once the page was hidden for `patienceMs` without a break, or with `over`. */
export const whileSeen = (page: Page, patienceMs: number, over: AbortSignal): AbortSignal => {
  const unseen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (!page.hidden) return;
    if (patienceMs === 0) unseen.abort();
    else timer = setTimeout(() => unseen.abort(), patienceMs);
  };
  const ended = AbortSignal.any([over, unseen.signal]);
  page.addEventListener("visibilitychange", look, { signal: ended });
  ended.addEventListener("abort", () => clearTimeout(timer));
  look();
  return ended;
};

/** Calls `onWake` when the page's computer slept, its network is back, or the browser lets it go on or takes it out of its cache. */
export const whenWoken = (page: Page, onWake: () => void, over: AbortSignal): void => {
  let tickedAt = Date.now();
  let wokenAt = 0;
  const wake = () => {
    tickedAt = Date.now();
    if (tickedAt - wokenAt < sameWakeMs) return;
    wokenAt = tickedAt;
    onWake();
  };
  const look = () => {
    const hasSlept = Date.now() - tickedAt > sleptMs;
    tickedAt = Date.now();
    // The timers of a page that nobody looks at are slow by themselves.
    if (hasSlept && !page.hidden) wake();
  };
  const timer = setInterval(look, tickMs);
  page.addEventListener("visibilitychange", look, { signal: over });
  page.addEventListener("resume", wake, { signal: over });
  window.addEventListener("online", wake, { signal: over });
  window.addEventListener("pageshow", ({ persisted }) => persisted && wake(), { signal: over });
  over.addEventListener("abort", () => clearInterval(timer));
};
