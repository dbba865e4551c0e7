// Which queries an event concerns, and when they ask again: soon, but not once for each event of a busy queue.
import { hashKey, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { agentTypesKey } from "./agent-type-data.ts";
import type { News } from "./live-news.ts";
import { organizationsKey } from "./organization-data.ts";
import { taskKey, taskListsKey, tasksKey } from "./task-data.ts";

interface Concern {
  queryKey: QueryKey;
  /** What was read less long ago waits: the event may be one of many. */
  restMs: number;
}

/** Between two looks at what waits: the screen changes no more often. */
const beatMs = 500;
const listRestMs = 1_000;
/** The service's own counts may be as old (D-11). */
const countRestMs = 5_000;

const concernsOf = (news: News): Concern[] => {
  if (news === "anything")
    return [tasksKey, agentTypesKey, organizationsKey].map((queryKey) => ({ queryKey, restMs: 0 }));
  if (news === "many")
    return [
      { queryKey: tasksKey, restMs: listRestMs },
      { queryKey: agentTypesKey, restMs: countRestMs },
    ];
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

/** What was told since the last look, by the hash of a key: as many entries as keys, however many events. */
const createConcerns = () => {
  const restMsOf = new Map<string, number>();
  return {
    add: ({ queryKey, restMs }: Concern) => {
      const hash = hashKey(queryKey);
      restMsOf.set(hash, Math.min(restMs, restMsOf.get(hash) ?? restMs));
    },
    /** The shortest rest that any beginning of the query's key asks for; undefined if it is not concerned. */
    restMs: ({ queryKey }: Query): number | undefined => {
      const rests = queryKey.map((_, at) => restMsOf.get(hashKey(queryKey.slice(0, at + 1))));
      const asked = rests.filter((restMs) => restMs !== undefined);
      return asked.length > 0 ? Math.min(...asked) : undefined;
    },
    isEmpty: () => restMsOf.size === 0,
    clear: () => restMsOf.clear(),
  };
};

/** Nothing is asked while nobody looks at the page. */
export const createLiveRefresh = (queries: QueryClient): LiveRefresh => {
  const cache = queries.getQueryCache();
  const concerns = createConcerns();
  /** With the shortest rest that an event asks for. */
  const waiting = new Map<Query, number>();
  let lookedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** What is being read is asked again afterwards: the answer may be of before. A long list rests longer. */
  const isReady = (query: Query, restMs: number) =>
    query.state.fetchStatus === "idle" && Date.now() >= query.state.dataUpdatedAt + restMs * pageCount(query);

  const gather = () => {
    if (concerns.isEmpty()) return;
    for (const query of cache.getAll()) {
      const restMs = concerns.restMs(query);
      if (restMs !== undefined) waiting.set(query, Math.min(restMs, waiting.get(query) ?? restMs));
    }
    concerns.clear();
  };

  const look = () => {
    timer = undefined;
    lookedAt = Date.now();
    gather();
    for (const [query, restMs] of waiting) {
      const isShown = cache.get(query.queryHash) === query && query.isActive();
      if (isShown && (document.hidden || !isReady(query, restMs))) continue;
      waiting.delete(query);
      query.invalidate();
      if (isShown) void queries.refetchQueries({ queryKey: query.queryKey, exact: true });
    }
    if (waiting.size > 0) timer = setTimeout(look, beatMs);
  };

  return {
    tell: (news) => {
      for (const concern of concernsOf(news)) concerns.add(concern);
      // What comes in one piece is dealt with together.
      timer ??= setTimeout(look, Math.max(0, lookedAt + beatMs - Date.now()));
    },
    stop: () => {
      clearTimeout(timer);
      waiting.clear();
    },
  };
};
