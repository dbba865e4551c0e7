// Fetches what most screens need next once the first one stands with its data and the browser has nothing else to do.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { warmMarkdown } from "../components/markdown-part.ts";

const againMs = 500;

interface Connection {
  /** The reader asked the browser to load no more than it must. */
  saveData?: boolean;
}

export const useIdleWarming = (): void => {
  const queries = useQueryClient();
  useEffect(() => {
    const { connection } = navigator as Navigator & { connection?: Connection };
    // Safari knows no idle time: there it waits for its need, or for the screen that asks for it.
    if (connection?.saveData || !("requestIdleCallback" in window)) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      if (queries.isFetching() === 0) warmMarkdown();
      else timer = setTimeout(ask, againMs);
    };
    const ask = () => {
      idle = requestIdleCallback(look);
    };
    let idle = requestIdleCallback(look);
    return () => {
      cancelIdleCallback(idle);
      clearTimeout(timer);
    };
  }, [queries]);
};
