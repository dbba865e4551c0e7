// Keeps a task for the person while the page is open, and notices when it is no longer theirs.
import { useQueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { useEffect } from "react";
import { useClient } from "../../data/client-context.tsx";
import { dispatchQuery } from "../../data/responder-data.ts";
import { heartbeatMs } from "./web-executor.ts";

/** Signs of life at once, every half minute, and when the page is looked at again; none once `isLive` is false. */
export const useLeaseKeeping = (id: string, isLive: boolean): void => {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isLive) return;
    const over = new AbortController();
    const beat = async () => {
      try {
        await client.heartbeatDispatch({ params: { id }, signal: over.signal });
      } catch (error) {
        // What became of it is read; anything else passes, or the session says so.
        if (error instanceof ProblemError && error.status < 500)
          await queries.invalidateQueries({ queryKey: dispatchQuery(client, id).queryKey });
      }
    };
    const beatIfSeen = () => void (document.hidden || beat());
    void beat();
    const timer = setInterval(beat, heartbeatMs);
    document.addEventListener("visibilitychange", beatIfSeen, { signal: over.signal });
    window.addEventListener("online", beatIfSeen, { signal: over.signal });
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [client, queries, id, isLive]);
};
