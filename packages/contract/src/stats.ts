// Numbers for dashboards, charts and alerts (D-29): what stands where now, what happened over time, what it used.
import Type, { type Static } from "typebox";
import { operation } from "./operation.ts";
import { Count, Instant, named, nullable, oneOf, ref, strict, Uuid } from "./schema.ts";

/** Each list of the numbers of now holds so many, those with the most tasks. */
export const maxStatsItems = 200;
export const maxHistoryPoints = 1500;
export const maxUsageItems = 200;
export const maxUsageDays = 92;
/** There are as many roots as tasks without a parent: of each day so many are looked at. */
export const maxRootsPerDay = 25;

const counts = {
  queued: { ...Count, description: "Waiting for an executor; tasks of people and of nobody are not counted" },
  live: { ...Count, description: "With a live dispatch" },
};

const Percentile = nullable(Count);
const WaitTimes = Type.Object(
  { p50: Percentile, p90: Percentile, p95: Percentile, p99: Percentile },
  { description: "Milliseconds from queued to dispatched, to within a tenth; null if nothing was dispatched" },
);
const DispatchRate = Type.Object({
  dispatched: Count,
  per_minute: Type.Number(),
  wait_ms: WaitTimes,
});
export type DispatchRate = Static<typeof DispatchRate>;

const PriorityCount = Type.Object({ priority: Type.Integer(), ...counts });
export type PriorityCount = Static<typeof PriorityCount>;

export const Stats = named("Stats", {
  at: Instant,
  ...counts,
  oldest_queued_at: nullable(Instant, {
    description:
      "Since when the longest waiting task is queued: of each priority, the first that never left the queue and the first 100 that came back are looked at",
  }),
  oldest_queued_seconds: nullable(Count),
  by_priority: Type.Array(PriorityCount, { description: "The highest first" }),
  by_organization: Type.Array(Type.Object({ organization_id: Uuid, organization_slug: Type.String(), ...counts }), {
    description: "The most tasks first",
  }),
  by_agent_type: Type.Array(
    Type.Object({
      agent_type_id: Uuid,
      organization_slug: Type.String(),
      slug: Type.String(),
      ...counts,
      wait_ms: { ...WaitTimes, description: "Of the last 24 hours" },
    }),
    { description: "The most tasks first" },
  ),
  dispatch: Type.Object(
    { last_1h: DispatchRate, last_24h: DispatchRate, last_7d: DispatchRate },
    { description: "The last hour in whole minutes, the others in whole hours, each with the one that has begun" },
  ),
});
export type Stats = Static<typeof Stats>;

export const historySteps = ["minute", "hour", "day"] as const;
export type HistoryStep = (typeof historySteps)[number];

const corrections = "A correction counts when it was made, so it may be negative";
const InputTokens = Type.Integer({ description: corrections });
const OutputTokens = Type.Integer({ description: corrections });

const HistoryPoint = Type.Object({
  at: { ...Instant, description: "When the step begins" },
  queued: nullable(Count, { description: "At the end of the step; null if nobody looked" }),
  live: nullable(Count),
  oldest_queued_seconds: nullable(Count),
  by_priority: nullable(Type.Array(PriorityCount), { description: "The 10 with the most tasks, the highest first" }),
  dispatched: Count,
  input_tokens: InputTokens,
  output_tokens: OutputTokens,
});
export type HistoryPoint = Static<typeof HistoryPoint>;

export const StatsHistory = named("StatsHistory", {
  items: Type.Array(HistoryPoint, { description: "Every step there is between, oldest first" }),
});

export const usageGroups = ["agent_type", "organization", "day", "root", "executor"] as const;
export type UsageGroup = (typeof usageGroups)[number];

const usageFields = { dispatches: Count, input_tokens: InputTokens, output_tokens: OutputTokens };
const UsageItem = Type.Object({
  key: nullable(Type.String(), {
    description:
      "Id of the agent type, organization or root task, name of the executor, or the day; null: none was known",
  }),
  label: Type.String({ description: "For people; the key where what it names is gone" }),
  ...usageFields,
});
export type UsageItem = Static<typeof UsageItem>;

export const StatsUsage = named("StatsUsage", {
  items: Type.Array(UsageItem, { description: `The most tokens first, ${maxUsageItems} at most; days in their order` }),
  total: Type.Object(usageFields, { description: "Of all, also of those that are not among the items" }),
});
export type StatsUsage = Static<typeof StatsUsage>;

const HistoryQuery = strict({
  from: Type.Optional({ ...Instant, description: "By default 3 hours, 7 days or 90 days before `to`, as fits `step`" }),
  to: Type.Optional({ ...Instant, description: "Not included; now by default" }),
  step: Type.Optional(oneOf(historySteps, { default: "minute", description: "Minutes are kept for 32 days" })),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const Day = Type.String({ format: "date", examples: ["2026-11-21"] });
const UsageQuery = strict({
  from: Type.Optional({ ...Day, description: "First day, in UTC; by default 29 days before `to`" }),
  to: Type.Optional({ ...Day, description: "Last day, included; today by default" }),
  group_by: Type.Optional(oneOf(usageGroups, { default: "day" })),
});
export type UsageQuery = Static<typeof UsageQuery>;

const tag = "Numbers";

export const statsOperations = {
  getStats: operation({
    method: "GET",
    path: "/stats",
    tag,
    summary: "See the numbers of now",
    description: `What is queued and live, for how long, and how quickly it is dispatched. At most 5 s old. Lists hold the ${maxStatsItems} with the most tasks.`,
    response: { 200: ref(Stats) },
  }),
  getStatsHistory: operation({
    method: "GET",
    path: "/stats/history",
    tag,
    summary: "See the numbers over time",
    description: `Queue, dispatches and tokens, at most ${maxHistoryPoints} steps. What happened is counted within seconds, the queue is looked at once a minute.`,
    querystring: HistoryQuery,
    response: { 200: ref(StatsHistory) },
  }),
  getStatsUsage: operation({
    method: "GET",
    path: "/stats/usage",
    tag,
    summary: "See who used how much",
    description: `Dispatches and tokens by agent type, organization, day, root task or executor. Days are in UTC, at most ${maxUsageDays} of them. By root, the ${maxRootsPerDay} of each day with the most tokens are looked at.`,
    querystring: UsageQuery,
    response: { 200: ref(StatsUsage) },
  }),
};
