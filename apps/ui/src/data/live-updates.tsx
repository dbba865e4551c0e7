// Lets what is on screen follow the events, while the screens are there.
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import type { LiveEvents } from "./live-events.ts";
import { createLiveRefresh } from "./live-refresh.ts";

const LiveContext = createContext<LiveEvents | null>(null);

interface LiveUpdatesProps {
  live: LiveEvents;
  /** Who is signed in; null while nobody is. */
  subject: string | null;
  children: ReactNode;
}

export const LiveUpdates = ({ live, subject, children }: LiveUpdatesProps) => {
  const queries = useQueryClient();
  useEffect(() => {
    if (subject === null) return;
    const refresh = createLiveRefresh(queries);
    const leave = live.follow((news) => news.forEach(refresh.tell), subject);
    return () => {
      leave();
      refresh.stop();
    };
  }, [live, queries, subject]);
  return <LiveContext value={live}>{children}</LiveContext>;
};

const useLive = (): LiveEvents => {
  const live = use(LiveContext);
  if (!live) throw new Error("The live connection needs LiveUpdates above it");
  return live;
};

/** Whether changes are told at this moment; otherwise they are asked for. */
export const useIsLive = (): boolean => {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.isUp);
};

/** To call when the service does not answer: the connection is looked after. */
export const useLiveDoubt = (): LiveEvents["doubt"] => useLive().doubt;
