// Whether the page is being printed: what is folded on screen is whole on paper.
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

let isPrinting = false;

const subscribe = (listener: () => void) => {
  const listening = new AbortController();
  const set = (next: boolean) => () => {
    isPrinting = next;
    // The browser takes its picture when the handler returns.
    flushSync(listener);
  };
  window.addEventListener("beforeprint", set(true), { signal: listening.signal });
  window.addEventListener("afterprint", set(false), { signal: listening.signal });
  return () => listening.abort();
};

export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
