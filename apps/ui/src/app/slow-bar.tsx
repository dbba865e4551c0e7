// A thin bar for what takes long: what is known stays below it.
import { notifyManager, type Query, type QueryCacheNotifyEvent, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import classes from "./slow-bar.module.css";

/** Most answers are there long before. */
const slowMs = 1_000;

/** Whether one fetch is older than a second; one that has failed is told of elsewhere, while it is tried again. */
const useIsSlow = (): boolean => {
  const cache = useQueryClient().getQueryCache();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    /** The oldest first. */
    const begun = new Map<Query, number>();
    let timer: ReturnType<typeof setTimeout>;
    const note = (query: Query) => {
      const { fetchStatus, fetchFailureCount } = query.state;
      if (fetchStatus !== "fetching" || fetchFailureCount > 0) begun.delete(query);
      else if (!begun.has(query)) begun.set(query, Date.now());
    };
    const look = () => {
      clearTimeout(timer);
      const [oldest] = begun.values();
      const leftMs = oldest === undefined ? null : oldest + slowMs - Date.now();
      setIsSlow(leftMs !== null && leftMs <= 0);
      if (leftMs !== null && leftMs > 0) timer = setTimeout(look, leftMs);
    };
    const hear = (event: QueryCacheNotifyEvent) => {
      if (event.type === "updated") {
        if (event.action.type === "fetch") begun.delete(event.query);
        note(event.query);
      } else if (event.type === "removed") begun.delete(event.query);
      else return;
      look();
    };
    for (const query of cache.getAll()) note(query);
    look();
    // Not at once: a query may change while something is being drawn.
    const leave = cache.subscribe(notifyManager.batchCalls(hear));
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [cache]);
  return isSlow;
};

export const SlowBar = () => useIsSlow() && <div role="progressbar" aria-label="Loading" className={classes.slow} />;
