// A checker that finds nothing proves nothing: each fault it looks for, in a history made up for it.
import { beforeEach, describe, expect, test } from "vitest";
import { createRunLog, type RunLog } from "./executor-log.ts";
import { judge } from "./history-checker.ts";
import type { HistoryDispatch, HistoryEvent, HistoryTask, RunHistory } from "./run-history.ts";

let log: RunLog;
let history: RunHistory;

/** Two tasks, `high` before `low`, created at 0, dispatched to one executor at 2,000 and 3,000, received and finished. */
beforeEach(() => {
  log = createRunLog();
  history = {
    tasks: [task("high", 50), task("low", 0)],
    dispatches: [],
    events: [event("high", "task.created", 0), event("low", "task.created", 0)],
  };
  handOver("high", "d-high", 2000);
  handOver("low", "d-low", 3000);
});

const task = (id: string, priority: number, queue_seq = 1): HistoryTask => ({
  id,
  priority,
  queue_seq,
  agent_type_id: "developer",
  is_queued: false,
  is_done: true,
});

const event = (
  task_id: string,
  type: HistoryEvent["type"],
  beganMs: number,
  executor: string | null = null,
): HistoryEvent => ({
  task_id,
  type,
  executor,
  beganMs,
  committedMs: beganMs + 5,
});

const receipt = (task_id: string, dispatch_id: string, executor = "one", incarnation = 1, isReplay = false) => ({
  task_id,
  dispatch_id,
  executor,
  incarnation,
  isReplay,
});

const handOver = (task_id: string, id: string, atMs: number): void => {
  const dispatch: HistoryDispatch = { id, task_id, executor: "one", outcome: "finished" };
  history.dispatches.push(dispatch);
  history.events.push(event(task_id, "task.dispatched", atMs, "one"), event(task_id, "task.finished", atMs + 100));
  log.receipts.push(receipt(task_id, id));
  log.ends.push({ dispatch_id: id, outcome: "finished" });
};

/** Makes `high` go at this time instead of 2,000. */
const moveHigh = (atMs: number, committedMs = atMs + 5): void => {
  const taking = history.events.find(({ task_id, type }) => task_id === "high" && type === "task.dispatched");
  Object.assign(taking ?? {}, { beganMs: atMs, committedMs });
};

test("nothing is found where all went well", () => {
  expect(judge(history, log, 0)).toMatchObject({
    tasks: 2,
    received: 2,
    lost: [],
    doubled: [],
    inversions: [],
    unhealed: [],
    forgottenEnds: [],
    unfinished: [],
    surprises: [],
  });
});

describe("lost", () => {
  test("a task nobody received", () => {
    log.receipts.pop();
    expect(judge(history, log, 0).lost).toEqual(["low"]);
  });

  test("a task that was acknowledged and is nowhere", () => {
    log.acked.push({ task_id: "forgotten", ackedMs: 0 });
    expect(judge(history, log, 0)).toMatchObject({ lost: ["forgotten"], tasks: 3 });
  });

  test("an end that was acknowledged and is not in the history", () => {
    Object.assign(history.dispatches[1] ?? {}, { outcome: "lost" });
    expect(judge(history, log, 0).forgottenEnds).toEqual(["d-low"]);
  });

  test("a dispatch that nobody received and nothing ended", () => {
    history.dispatches.push({ id: "astray", task_id: "low", executor: "one", outcome: null });
    expect(judge(history, log, 0).unhealed).toEqual(["astray"]);
  });

  test("a task that is not done", () => {
    Object.assign(history.tasks[0] ?? {}, { is_done: false });
    expect(judge(history, log, 0).unfinished).toEqual(["high"]);
  });
});

describe("doubled", () => {
  test("two hand-overs with no end between them", () => {
    history.events.splice(3, 0, event("high", "task.dispatched", 2050, "two"));
    expect(judge(history, log, 0).doubled).toEqual(["high"]);
  });

  test("one dispatch in two processes", () => {
    log.receipts.push(receipt("high", "d-high", "two"));
    log.receipts.push(receipt("low", "d-low", "one", 2));
    expect(judge(history, log, 0).doubled).toEqual(["high", "low"]);
  });

  test("but not a task that came back in between", () => {
    handOver("low", "d-low-2", 4000);
    expect(judge(history, log, 0).doubled).toEqual([]);
  });
});

describe("inversions", () => {
  const found = () => judge(history, log, 0).inversions.map(({ taken, passed }) => [...taken, passed]);

  test("a lower priority taken while a higher one waited", () => {
    moveHigh(5000);
    expect(found()).toEqual([["low", "high"]]);
  });

  test("a later place taken while an earlier one waited", () => {
    history.tasks = [task("high", 0, 1), task("low", 0, 2)];
    moveHigh(5000);
    expect(found()).toEqual([["low", "high"]]);
  });

  test("also when the higher one was never taken", () => {
    history.events = history.events.filter(({ task_id, type }) => task_id === "low" || type === "task.created");
    Object.assign(history.tasks[0] ?? {}, { is_queued: true });
    expect(found()).toEqual([["low", "high"]]);
  });

  test("but not while a claim that took the higher one was under way", () => {
    moveHigh(3003, 5000);
    expect(found()).toEqual([]);
  });

  test("nor when the executor did not ask for its agent type", () => {
    moveHigh(5000);
    log.filters.set("one", ["reviewer"]);
    expect(found()).toEqual([]);
  });

  test("nor when it may not have been visible yet, unless it was acknowledged before", () => {
    moveHigh(5000);
    Object.assign(history.events[0] ?? {}, { beganMs: 2900, committedMs: 2905 });
    expect(found()).toEqual([]);
    log.acked.push({ task_id: "high", ackedMs: 2950 });
    expect(found()).toEqual([["low", "high"]]);
  });

  test("what a rolled back claim may have held is passed for a moment, and proves nothing", () => {
    moveHigh(5000);
    expect(judge(history, log, 500)).toMatchObject({ inversions: [], shortPassings: 1 });
    handOver("low", "d-low-2", 4000);
    expect(judge(history, log, 500)).toMatchObject({
      inversions: [{ passed: "high", lastsMs: 995 }],
      shortPassings: 0,
    });
  });

  test("a returned task is passed only from its return on, and only if it was queued again", () => {
    // Taken at 2,000, over at 2,100, needs attention until it is requeued at 6,000.
    history.events.push(event("high", "task.requeued", 6000), event("high", "task.dispatched", 9000, "one"));
    expect(found()).toEqual([]);
    handOver("low", "d-low-2", 8000);
    expect(found()).toEqual([["low", "high"]]);
  });
});

test("each lost hand-over is counted by what made it good", () => {
  const outcomes = ["lost", "lost", "expired", "disconnected", "requeued"] as const;
  for (const [index, outcome] of outcomes.entries())
    history.dispatches.push({ id: `${index}`, task_id: "low", executor: "one", outcome });
  log.receipts.push(receipt("low", "d-low", "one", 1, true));
  expect(judge(history, log, 0)).toMatchObject({
    healed: { "claim key": 1, "held set": 2, lease: 1, disconnected: 1, requeued: 1 },
    unhealed: [],
  });
});
