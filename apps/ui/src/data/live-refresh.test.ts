// What an event has asked again: what it concerns, soon, and no more often than a list can bear.
import { QueryObserver } from "@tanstack/react-query";
import type { Event, EventType } from "@task-service/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLiveRefresh } from "./live-refresh.ts";
import { createQueryClient } from "./query-client.ts";

const organizationId = "01900000-0000-7000-8000-0000000000aa";
const event = (type: EventType, task_id: string | null = null): Event => ({
  id: "1",
  at: "2026-11-21T09:30:00.000Z",
  type,
  organization_id: organizationId,
  task_id,
  actor: { sub: "alice", name: "alice" },
  data: {},
});

const stops: (() => void)[] = [];
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Queries on screen under a connection that stands, each counting how often it is asked. */
const setUp = async (keys: readonly (readonly string[])[], readMs = 0) => {
  const queries = createQueryClient({ onUnauthenticated: () => undefined, isLive: () => true });
  const asked = new Map<string, number>();
  for (const queryKey of keys) {
    const name = queryKey.join(" ");
    const queryFn = async () => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      if (readMs) await new Promise((resolve) => setTimeout(resolve, readMs));
      return name;
    };
    stops.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined));
  }
  const refresh = createLiveRefresh(queries);
  stops.push(refresh.stop);
  await pass(10_000);
  const since = new Map(asked);
  const times = (...queryKey: string[]) => (asked.get(queryKey.join(" ")) ?? 0) - (since.get(queryKey.join(" ")) ?? 0);
  return { queries, refresh, times };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

const all = [
  ["tasks", "t1"],
  ["tasks", "t2"],
  ["tasks", "t1", "events"],
  ["tasks", "list", "queue"],
  ["agent-types", "all"],
  ["agent-types", "a1"],
  ["organizations"],
  ["me"],
] as const;

test("a task's event: the task, the lists, and the counts of agent types", async () => {
  const { refresh, times } = await setUp(all);
  refresh.tell(event("task.mirrored", "t1"));
  await pass(10);
  expect(all.map((key) => times(...key))).toEqual([1, 0, 1, 1, 1, 1, 0, 0]);
});

test("a synchronization: agent types and organizations, and tasks for the names they show", async () => {
  const { refresh, times } = await setUp(all);
  refresh.tell(event("agents.synced"));
  await pass(10);
  expect(all.map((key) => times(...key))).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
});

test("anything: all that events tell of", async () => {
  const { refresh, times } = await setUp(all);
  refresh.tell("anything");
  await pass(10);
  expect(all.map((key) => times(...key))).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
});

test("a busy queue has its lists asked once a second, the counts every five, and ends with the last word", async () => {
  const { refresh, times } = await setUp(all);
  for (let count = 0; count < 500; count += 1) {
    refresh.tell(event("task.created", `n${count}`));
    await pass(20);
  }
  expect(times("tasks", "list", "queue")).toBeGreaterThanOrEqual(8);
  expect(times("tasks", "list", "queue")).toBeLessThanOrEqual(11);
  expect(times("agent-types", "all")).toBeLessThanOrEqual(3);
  await pass(2_000);
  const before = times("tasks", "list", "queue");
  refresh.tell(event("task.created", "last but one"));
  await pass(10);
  refresh.tell(event("task.created", "last"));
  await pass(500);
  expect(times("tasks", "list", "queue")).toBe(before + 1);
  await pass(1_000);
  expect(times("tasks", "list", "queue")).toBe(before + 2);
});

test("5,000 events a second have the screen asked for at most twice a second, whatever they tell of", async () => {
  const { queries, refresh, times } = await setUp(all);
  const asks = new Set<number>();
  queries.getQueryCache().subscribe(({ type, ...rest }) => {
    if (type === "updated" && "action" in rest && rest.action.type === "fetch") asks.add(Date.now());
  });
  for (let ms = 0; ms < 5_000; ms += 50) {
    refresh.tell("many");
    for (let count = 0; count < 250; count += 1) refresh.tell(event("task.updated", count === 0 ? "t1" : `n${count}`));
    await pass(50);
  }
  await pass(2_000);
  expect(asks.size).toBeLessThanOrEqual(15);
  expect(times("tasks", "t1")).toBeLessThanOrEqual(12);
  expect(times("tasks", "list", "queue")).toBeLessThanOrEqual(8);
  expect(times("me")).toBe(0);
});

test("what is being read when an event comes is read once more, not given up", async () => {
  const { refresh, times } = await setUp(all, 600);
  refresh.tell(event("agents.synced"));
  await pass(100);
  refresh.tell(event("agents.synced"));
  await pass(400);
  expect(times("agent-types", "a1")).toBe(1);
  await pass(1_000);
  expect(times("agent-types", "a1")).toBe(2);
  await pass(5_000);
  expect(times("agent-types", "a1")).toBe(2);
});

test("what is not shown waits until it is", async () => {
  const { queries, refresh } = await setUp([]);
  queries.setQueryData(["tasks", "t9"], "old");
  refresh.tell(event("task.updated", "t9"));
  await pass(10);
  expect(queries.getQueryState(["tasks", "t9"])).toMatchObject({ isInvalidated: true, fetchStatus: "idle" });
});
