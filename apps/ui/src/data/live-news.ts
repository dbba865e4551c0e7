// What the live connection tells, gathered: a busy queue is told of in few pieces, each of a bounded size.
import type { Event } from "@task-service/contract";

/** An event, word that many tasks changed, or word that anything may have changed. */
export type News = Event | "many" | "anything";

/** Between two pieces. What comes alone is told at once. */
const pieceMs = 200;
/** More tasks than a screen shows: from there on it is cheaper to ask for all that are shown. */
const maxEvents = 200;

export interface NewsGathering {
  add: (news: Event | "anything") => void;
  /** Hands over at once what was gathered. */
  flush: () => void;
}

/** `deliver` gets each piece in order, never an empty one. */
export const createNewsGathering = (deliver: (news: readonly News[]) => void): NewsGathering => {
  let gathered: Event[] = [];
  let hasMany = false;
  let hasAnything = false;
  let deliveredAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const news: News[] = hasAnything ? ["anything"] : hasMany ? ["many", ...gathered] : gathered;
    gathered = [];
    hasMany = false;
    hasAnything = false;
    if (news.length === 0) return;
    deliveredAt = Date.now();
    deliver(news);
  };

  const add = (news: Event | "anything") => {
    if (news === "anything") hasAnything = true;
    else if (hasAnything || (hasMany && news.task_id !== null)) return;
    else if (gathered.length < maxEvents) gathered.push(news);
    else {
      hasMany = true;
      gathered = [...gathered, news].filter(({ task_id }) => task_id === null);
      if (gathered.length > maxEvents) hasAnything = true;
    }
    // Never before what came with it, in the same read, is here too.
    timer ??= setTimeout(flush, Math.max(0, deliveredAt + pieceMs - Date.now()));
  };
  return { add, flush };
};
