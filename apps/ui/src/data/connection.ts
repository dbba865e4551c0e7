// How this page stands with the service: told of changes, asking for them, or cut off.
import { useQueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useIsLive } from "./live-updates.tsx";

/** Reconnecting becomes polling when it lasts; both ask for everything every few seconds. */
export type Connection = "live" | "reconnecting" | "polling" | "offline";

/** A shorter break is nothing to read about. */
const lastingMs = 10_000;

const isUnanswered = (error: Error | null): boolean =>
  error !== null && !(error instanceof ProblemError && error.status < 500);

/** Whether the service answers what this page asks for. */
const useIsAnswered = (): boolean => {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const shown = cache.getAll().filter((query) => query.isActive());
      const failed = shown.filter(({ state }) => isUnanswered(state.error) || isUnanswered(state.fetchFailureReason));
      return failed.length === 0 || failed.length < shown.length;
    },
  );
};

const subscribeToNetwork = (listener: () => void) => {
  const listening = new AbortController();
  window.addEventListener("online", listener, { signal: listening.signal });
  window.addEventListener("offline", listener, { signal: listening.signal });
  return () => listening.abort();
};

export const useConnection = (): Connection => {
  const isLive = useIsLive();
  const isAnswered = useIsAnswered();
  const hasNetwork = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    if (isLive) return;
    const timer = setTimeout(() => setIsLasting(true), lastingMs);
    return () => {
      clearTimeout(timer);
      setIsLasting(false);
    };
  }, [isLive]);
  if (!hasNetwork || (!isLive && !isAnswered)) return "offline";
  if (isLive) return "live";
  return isLasting ? "polling" : "reconnecting";
};
