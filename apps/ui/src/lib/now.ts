// One clock for every relative time on the page, so that they move on together and cheaply.
import { useSyncExternalStore } from "react";

const tickMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = () => {
  now = Date.now();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The current time in ms, renewed every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
