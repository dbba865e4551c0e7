// Shows a changing list so that nothing moves under its reader, twice a second at most.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { type Arrangement, asItIs, goneTasks, isCovered, rowAt, settle, type View, waitingCount } from "./held-rows.ts";
import { type SparseRows, unionAbout } from "./sparse-rows.ts";

/** Between two changes of what is shown. */
const beatMs = 500;
/** After the last movement, a list still scrolls. */
const stillAfterMs = 200;
/** What a movement has passed by for so many rows is read anew when it comes back. */
const keptRows = 600;
/** A list that is read again and again shows what it has after all. */
const patienceMs = 2_000;

export interface HeldRows {
  shown: Arrangement;
  /** New ones since everything was last shown as it is. */
  newCount: number;
  /** Ids of those that left since then. */
  goneIds: ReadonlySet<string>;
  /** Shows everything as it is; says whether anything in view was held back. */
  release: () => boolean;
}

interface HeldRowsOptions {
  live: SparseRows;
  /** Parts of it are being read: together they may not make sense yet. */
  isReading: boolean;
  isPresent: boolean;
  rowPx: number;
  view: () => View;
}

interface Since {
  total: number;
  goneIds: ReadonlySet<string>;
}

const hasGap = (shown: Arrangement, live: SparseRows, { first, last }: View): boolean => {
  for (let at = first; at <= last; at++) {
    const { task, index } = rowAt(shown, at);
    if (!task && index !== null && live.rows.has(index)) return true;
  }
  return false;
};

export const useHeldRows = ({ live, isReading, isPresent, rowPx, view }: HeldRowsOptions): HeldRows => {
  const [shown, setShown] = useState(() => asItIs(live));
  const [since, setSince] = useState<Since>(() => ({ total: live.total, goneIds: new Set() }));
  const [beat, setBeat] = useState(0);
  const shift = useRef(0);
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY);
  const takenAt = useRef(Number.NEGATIVE_INFINITY);
  const own = useRef(false);

  useEffect(() => {
    const note = () => {
      if (!own.current) scrolledAt.current = performance.now();
      own.current = false;
    };
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, []);

  const take = (isForced: boolean): void => {
    const inView = view();
    const isHeld = !isForced && (isPresent || inView.first > 0);
    const settled = settle(shown, live, inView, isHeld);
    if (settled.shift !== 0 && !isForced && performance.now() - scrolledAt.current < stillAfterMs) {
      // To follow now would stop the movement: what has come into view is shown, the rest once it rests.
      setShown({ ...shown, live: unionAbout(inView.first, keptRows, shown.live, live) });
      return;
    }
    shift.current += settled.shift;
    takenAt.current = performance.now();
    setShown(settled.next);
    const gone = goneTasks(settled.next);
    if (!isHeld) setSince({ total: live.total, goneIds: new Set() });
    else if (gone.some(({ id }) => !since.goneIds.has(id)))
      setSince({ ...since, goneIds: new Set([...since.goneIds, ...gone.map(({ id }) => id)]) });
  };

  /** How long to wait before the list is taken in as it is now; null: it is shown already. */
  const delay = useEffectEvent((): number | null => {
    const isTaken = shown.live === live && (shown.held.length === 0 || isPresent || view().first > 0);
    if (isTaken) return null;
    const now = performance.now();
    if (shown.live.total === 0 || hasGap(shown, live, view())) return 0;
    const isReady = !isReading && isCovered(shown, live, view());
    return Math.max(
      0,
      takenAt.current + (isReady ? beatMs : patienceMs) - now,
      scrolledAt.current + stillAfterMs - now,
    );
  });
  const takeNow = useEffectEvent(() => {
    take(false);
    setBeat((count) => count + 1);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to look again
  useLayoutEffect(() => {
    const waitMs = delay();
    if (waitMs === null) return;
    if (waitMs === 0) return takeNow();
    const timer = setTimeout(takeNow, waitMs);
    return () => clearTimeout(timer);
  }, [live, isReading, isPresent, beat]);

  useLayoutEffect(() => {
    if (shift.current === 0) return;
    own.current = true;
    window.scrollBy(0, shift.current * rowPx);
    shift.current = 0;
  });

  const net = live.total - since.total + since.goneIds.size;
  const isHeldBack = shown.held.length > 0;
  return {
    shown,
    newCount: Math.max(waitingCount(shown), net),
    goneIds: since.goneIds,
    release: () => {
      take(true);
      return isHeldBack;
    },
  };
};
