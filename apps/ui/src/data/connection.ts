// How this page stands with the service: told of changes, asking for them, or cut off.
import { type Query, useQueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useIsLive, useLiveDoubt } from "./live-updates.tsx";

/** Reconnecting becomes polling when it lasts; both ask for everything every few seconds. */
export type Connection = "connecting" | "live" | "reconnecting" | "polling" | "offline";

/** A shorter break is not worth a word. */
const blinkMs = 2_000;
const lastingMs = 10_000;
/** A service that takes longer for every answer does not answer. */
const overdueMs = 10_000;
const lookMs = 1_000;

const isUnanswered = (error: Error | null): boolean =>
  error !== null && !(error instanceof ProblemError && error.status < 500);

const askedAt = new WeakMap<Query, number>();

/** When the last request failed, or the last was sent that is waited for in vain; 0 if an answer came since. */
const useUnansweredAt = (): number => {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = cache.subscribe((event) => {
        if (event.type === "updated" && event.action.type === "fetch") askedAt.set(event.query, Date.now());
        listener();
      });
      const timer = setInterval(listener, lookMs);
      return () => {
        leave();
        clearInterval(timer);
      };
    },
    [cache],
  );
  return useSyncExternalStore(subscribe, () => {
    const queries = cache.getAll();
    const failedAt = queries.map(({ state }) => (isUnanswered(state.error) ? state.errorUpdatedAt : 0));
    const answeredAt = Math.max(0, ...queries.map(({ state }) => state.dataUpdatedAt));
    const waitsSince = queries.map((query) => {
      const at = query.state.fetchStatus === "fetching" ? (askedAt.get(query) ?? 0) : 0;
      return Date.now() - at > overdueMs ? at : 0;
    });
    const unansweredAt = Math.max(0, ...failedAt, ...waitsSince);
    return unansweredAt > answeredAt ? unansweredAt : 0;
  });
};

const subscribeToNetwork = (listener: () => void) => {
  const listening = new AbortController();
  window.addEventListener("online", listener, { signal: listening.signal });
  window.addEventListener("offline", listener, { signal: listening.signal });
  return () => listening.abort();
};

export const useConnection = (): Connection => {
  const isLive = useIsLive();
  const unansweredAt = useUnansweredAt();
  const doubt = useLiveDoubt();
  useEffect(() => {
    if (unansweredAt > 0) doubt(unansweredAt);
  }, [unansweredAt, doubt]);
  const hasNetwork = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const [wasLive, setWasLive] = useState(isLive);
  if (isLive && !wasLive) setWasLive(true);
  const [downMs, setDownMs] = useState(0);
  useEffect(() => {
    if (isLive) return;
    const timers = [blinkMs, lastingMs].map((ms) => setTimeout(() => setDownMs(ms), ms));
    return () => {
      timers.forEach(clearTimeout);
      setDownMs(0);
    };
  }, [isLive]);
  if (!hasNetwork || (!isLive && unansweredAt > 0)) return "offline";
  if (isLive) return "live";
  if (downMs < blinkMs) return wasLive ? "live" : "connecting";
  return downMs < lastingMs ? "reconnecting" : "polling";
};
