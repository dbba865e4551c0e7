// Texts that are being written, kept in the browser until they are sent: they survive a closed tab, and no two tabs share one.

/** A draft that this tab holds; no other tab reads or writes it until it is released. */
export interface KeptDraft {
  /** What was kept; null for a new one. */
  kept: string | null;
  keep: (text: string) => void;
  /** Leaves alone what another tab, or the form opened again, has kept in its place since. */
  forget: () => void;
  release: () => void;
}

export interface DraftPlaces {
  /** Outlives the tab. */
  storage: Storage;
  /** Remembers, over a reload, which draft this tab had. */
  tab: Storage;
  /** Says whether a tab that is open holds a draft. */
  locks: Pick<LockManager, "request"> | undefined;
  now: () => number;
}

const browserPlaces = (): DraftPlaces => ({
  storage: localStorage,
  tab: sessionStorage,
  locks: navigator.locks as LockManager | undefined,
  now: Date.now,
});

const keptMs = 30 * 86_400_000;
/** A page that is being reloaded lets go of its draft a moment after the new one asks for it. */
const reloadMs = 1_000;

interface Stored {
  at: number;
  text: string;
}

const stored = (storage: Storage, key: string): Stored | null => {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as Stored | null;
  } catch {
    return null;
  }
};

/** Holds the lock until the returned function is called; null if it is held elsewhere. */
const hold = (locks: DraftPlaces["locks"], name: string, waitMs: number): Promise<(() => void) | null> =>
  new Promise((resolve) => {
    if (!locks) return resolve(() => undefined);
    const whileHeld = (lock: Lock | null) =>
      new Promise<void>((release) => {
        resolve(lock && release);
        if (!lock) release();
      });
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    locks.request(name, options, whileHeld).catch(() => resolve(null));
  });

/** Drops drafts nobody came back for; answers the keys of those left in `scope`, the newest first. */
const keysIn = ({ storage, now }: DraftPlaces, scope: string): string[] => {
  const keys = Object.keys(storage).filter((key) => key.startsWith("draft/"));
  for (const key of keys) if ((stored(storage, key)?.at ?? 0) < now() - keptMs) storage.removeItem(key);
  return keys
    .filter((key) => key.startsWith(`${scope}/`) && storage.getItem(key) !== null)
    .toSorted((a, b) => (stored(storage, b)?.at ?? 0) - (stored(storage, a)?.at ?? 0));
};

/**
 * The draft this tab had before a reload, else the newest one of `name` that no open tab holds, else a new one.
 * `name` says what is written and by whom.
 */
export const openDraft = async (name: string, places: DraftPlaces = browserPlaces()): Promise<KeptDraft> => {
  const { storage, tab, locks, now } = places;
  const scope = `draft/${name}`;
  const own = tab.getItem(scope);
  const fresh = `${scope}/${crypto.randomUUID()}`;
  const candidates = [...(own ? [own] : []), ...keysIn(places, scope).filter((key) => key !== own), fresh];
  for (const key of candidates) {
    const release = await hold(locks, key, key === own ? reloadMs : 0);
    if (!release) continue;
    tab.setItem(scope, key);
    const kept = stored(storage, key)?.text ?? null;
    let last = kept;
    return {
      kept,
      keep: (text) => {
        try {
          storage.setItem(key, JSON.stringify({ at: now(), text } satisfies Stored));
          last = text;
        } catch {
          // The browser has no room left: it stays on the screen.
        }
      },
      forget: () => {
        if ((stored(storage, key)?.text ?? null) === last) storage.removeItem(key);
      },
      release,
    };
  }
  throw new Error("A new draft cannot be held elsewhere");
};
