// How often the feed asks the database while a transaction stays open that may still write events.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sql } from "../platform/database.ts";
import { createLogger } from "../platform/logger.ts";
import { createEventFeed } from "./event-feed.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const idOf = (n: number) => String(n).padStart(16, "0");

/** A database with as many events as were drawn, none of them final while another transaction runs. */
const createHistory = () => {
  const history = { drawn: 1, isFinal: true, looks: 0 };
  const event = () => ({ id: idOf(history.drawn), type: "agents.synced", organization_id: null, task_id: null });
  const answerTo = (statement: string): object[] => {
    if (statement.includes("pg_snapshot_xmin")) return [{ is_final: history.isFinal }];
    if (statement.includes("as bound")) return [{ bound: "7" }];
    if (statement.includes("from event_ids")) {
      history.looks += 1;
      return [{ id: idOf(history.drawn) }];
    }
    return [event()];
  };
  const sql = async (parts: TemplateStringsArray) => answerTo(parts.join("?"));
  return { history, sql: sql as unknown as Sql };
};

test("it looks often at first, then as seldom as it polls, and soon after the transaction ended goes on", async () => {
  const { history, sql } = createHistory();
  const feed = createEventFeed({ sql, log: createLogger("silent") });
  const take = vi.fn();
  const listener = { take, beat: () => {}, end: () => {} };
  await feed.open(listener);
  feed.join(listener);

  Object.assign(history, { drawn: 2, isFinal: false, looks: 0 });
  feed.nudge();
  await vi.advanceTimersByTimeAsync(100);
  expect(history.looks).toBeGreaterThanOrEqual(4);
  history.looks = 0;
  for (let n = 0; n < 500; n++) {
    feed.nudge();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(history.looks).toBeLessThanOrEqual(25);
  expect(take).not.toHaveBeenCalled();

  history.isFinal = true;
  await vi.advanceTimersByTimeAsync(250);
  expect(take).toHaveBeenCalledTimes(1);
  history.drawn = 3;
  feed.nudge();
  await vi.advanceTimersByTimeAsync(20);
  expect(take).toHaveBeenCalledTimes(2);
  feed.leave(listener);
});
