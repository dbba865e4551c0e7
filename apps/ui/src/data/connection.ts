// How this page stands with the service: told of changes, asking for them, or cut off.
import { useQueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useIsLive } from "./live-updates.tsx";

/** Reconnecting becomes polling when it lasts; both ask for everything every few seconds. */
export type Connection = "connecting" | "live" | "reconnecting" | "polling" | "offline";

/** A shorter break is not worth a word. */
const blinkMs = 2_000;
const lastingMs = 10_000;

const isUnanswered = (error: Error | null): boolean =>
  error !== null && !(error instanceof ProblemError && error.status < 500);

/** Whether the last that was heard is an answer. */
const useIsAnswered = (): boolean => {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const states = cache.getAll().map(({ state }) => state);
      const failedAt = states.map(({ error, errorUpdatedAt }) => (isUnanswered(error) ? errorUpdatedAt : 0));
      const answeredAt = states.map(({ dataUpdatedAt }) => dataUpdatedAt);
      return Math.max(0, ...failedAt) <= Math.max(0, ...answeredAt);
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
  if (!hasNetwork || (!isLive && !isAnswered)) return "offline";
  if (isLive) return "live";
  if (downMs < blinkMs) return wasLive ? "live" : "connecting";
  return downMs < lastingMs ? "reconnecting" : "polling";
};
