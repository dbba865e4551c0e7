// The numbers of now, over time and by who used them (D-29), and the tasks that wait for a person.
import { queryOptions } from "@tanstack/react-query";
import type { Client, HistoryStep, UsageGroup } from "@task-service/contract";
import { taskListsKey } from "./task-data.ts";

/** The service's own answer may be 5 s old. */
const statsMs = 10_000;
/** The queue is looked at once a minute. */
const historyMs = 60_000;

/** The numbers of now. */
export const statsQuery = (client: Client) =>
  queryOptions({
    queryKey: ["stats", "now"],
    queryFn: ({ signal }) => client.getStats({ signal }),
    refetchInterval: statsMs,
  });

/** The last `lengthMs`, step by step, oldest first, with the step that has begun. */
export const historyQuery = (client: Client, step: HistoryStep, lengthMs: number) =>
  queryOptions({
    queryKey: ["stats", "history", step, lengthMs],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - lengthMs).toISOString();
      return (await client.getStatsHistory({ query: { step, from }, signal })).items;
    },
    refetchInterval: historyMs,
  });

/** The day in UTC, as usage counts days. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days in UTC that the last `lengthMs` touch: first and last. */
export const usageDays = (lengthMs: number, nowMs: number): { from: string; to: string } => ({
  from: dayOf(nowMs - lengthMs),
  to: dayOf(nowMs),
});

/** What was used on the days that the last `lengthMs` touch, by whom. */
export const usageQuery = (client: Client, group_by: UsageGroup, lengthMs: number) =>
  queryOptions({
    queryKey: ["stats", "usage", group_by, lengthMs],
    queryFn: ({ signal }) => client.getStatsUsage({ query: { group_by, ...usageDays(lengthMs, Date.now()) }, signal }),
    refetchInterval: historyMs,
  });

const attentionShown = 5;

/** The tasks lost so often that they wait for a person: how many, and the newest five. */
export const attentionQuery = (client: Client) =>
  queryOptions({
    queryKey: [...taskListsKey, "attention"],
    queryFn: async ({ signal }) => {
      const [{ count, exact }, { items }] = await Promise.all([
        client.countTasks({ query: { needs_attention: true }, signal }),
        client.listTasks({ query: { needs_attention: true, limit: attentionShown }, signal }),
      ]);
      return { count, isExact: exact, tasks: items };
    },
  });
