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

/** What a gateway says in the name of a service that does not. */
const isFromGateway = (status: number): boolean => status >= 502 && status <= 504;

/** To be told of trouble is an answer. */
const isAnswer = (error: Error | null): boolean => error instanceof ProblemError && !isFromGateway(error.status);

const askedAt = new WeakMap<Query, number>();

const answeredAtOf = ({ state }: Query): number =>
  Math.max(state.dataUpdatedAt, isAnswer(state.error) ? state.errorUpdatedAt : 0);

const unansweredAtOf = (query: Query): number => {
  const { error, errorUpdatedAt, fetchStatus } = query.state;
  const failedAt = error && !isAnswer(error) ? errorUpdatedAt : 0;
  const waitsSince = fetchStatus === "fetching" ? (askedAt.get(query) ?? 0) : 0;
  return Math.max(failedAt, Date.now() - waitsSince > overdueMs ? waitsSince : 0);
};

/**
 * When the last request failed, or the last was sent that is waited for in vain; 0 if an answer came since, and while it is
 * one alone of several: that one may have trouble of its own.
 */
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
    const answeredAt = Math.max(0, ...queries.map(answeredAtOf));
    const unanswered = queries.map(unansweredAtOf).filter((at) => at > answeredAt);
    const isAlone = unanswered.length === 1 && queries.filter((query) => query.isActive()).length > 1;
    return isAlone ? 0 : Math.max(0, ...unanswered);
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
  if (!hasNetwork) return "offline";
  if (isLive || (wasLive && downMs < blinkMs)) return "live";
  if (unansweredAt > 0) return "offline";
  if (downMs < blinkMs) return "connecting";
  return downMs < lastingMs ? "reconnecting" : "polling";
};
