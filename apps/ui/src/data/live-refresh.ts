// Which queries an event concerns, and when they ask again: soon, but not once for each event of a busy queue.
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { agentTypesKey } from "./agent-type-data.ts";
import type { News } from "./live-events.ts";
import { organizationsKey } from "./organization-data.ts";
import { taskKey, taskListsKey, tasksKey } from "./task-data.ts";

interface Concern {
  queryKey: QueryKey;
  /** What was read less long ago waits: the event may be one of many. */
  restMs: number;
}

/** Between two looks at what waits. */
const beatMs = 250;
const listRestMs = 1_000;
/** The service's own counts may be as old (D-11). */
const countRestMs = 5_000;

const concernsOf = (news: News): Concern[] => {
  if (news === "anything")
    return [tasksKey, agentTypesKey, organizationsKey].map((queryKey) => ({ queryKey, restMs: 0 }));
  if (news.task_id !== null)
    return [
      { queryKey: taskKey(news.task_id), restMs: 0 },
      { queryKey: taskListsKey, restMs: listRestMs },
      { queryKey: agentTypesKey, restMs: countRestMs },
    ];
  // Tasks show the names of both.
  return [
    { queryKey: organizationsKey, restMs: 0 },
    { queryKey: agentTypesKey, restMs: 0 },
    { queryKey: tasksKey, restMs: listRestMs },
  ];
};

const pageCount = ({ state }: Query): number => (state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;

export interface LiveRefresh {
  tell: (news: News) => void;
  stop: () => void;
}

export const createLiveRefresh = (queries: QueryClient): LiveRefresh => {
  const cache = queries.getQueryCache();
  /** With the shortest rest that an event asks for. */
  const waiting = new Map<Query, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** What is being read is asked again afterwards: the answer may be of before. A long list rests longer. */
  const isReady = (query: Query, restMs: number) =>
    query.state.fetchStatus === "idle" && Date.now() >= query.state.dataUpdatedAt + restMs * pageCount(query);

  const look = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    for (const [query, restMs] of waiting) {
      const isShown = cache.get(query.queryHash) === query && query.isActive();
      if (isShown && !isReady(query, restMs)) continue;
      waiting.delete(query);
      query.invalidate();
      if (isShown) void queries.refetchQueries({ queryKey: query.queryKey, exact: true });
    }
    timer = setTimeout(look, beatMs);
  };

  return {
    tell: (news) => {
      for (const { queryKey, restMs } of concernsOf(news))
        for (const query of cache.findAll({ queryKey }))
          waiting.set(query, Math.min(restMs, waiting.get(query) ?? restMs));
      // What comes in one piece is dealt with at once, together.
      if (waiting.size > 0) timer ??= setTimeout(look);
    },
    stop: () => {
      clearTimeout(timer);
      waiting.clear();
    },
  };
};
