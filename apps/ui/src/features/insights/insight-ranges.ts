// The spans of time that the insights look back over, and how fine each is drawn.
import type { HistoryStep } from "@task-service/contract";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const insightRanges = {
  "3h": { label: "3 hours", words: "the last 3 hours", lengthMs: 3 * hourMs, step: "minute" },
  "24h": { label: "24 hours", words: "the last 24 hours", lengthMs: dayMs, step: "hour" },
  "7d": { label: "7 days", words: "the last 7 days", lengthMs: 7 * dayMs, step: "hour" },
  "30d": { label: "30 days", words: "the last 30 days", lengthMs: 30 * dayMs, step: "day" },
  "90d": { label: "90 days", words: "the last 90 days", lengthMs: 90 * dayMs, step: "day" },
} as const satisfies Record<string, { label: string; words: string; lengthMs: number; step: HistoryStep }>;

export type InsightRange = keyof typeof insightRanges;

export const isInsightRange = (value: unknown): value is InsightRange =>
  typeof value === "string" && Object.hasOwn(insightRanges, value);

export interface InsightsSearch {
  range?: InsightRange;
  /** Slug; left out for every organization. */
  organization?: string;
}

const minute = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const dayAndHour = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric" });
const dayAndMinute = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});
/** Days are those of UTC, whatever the reader's zone. */
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** A step's begin on an axis. */
export const tickWord = (range: InsightRange, at: string): string => {
  const { step } = insightRanges[range];
  if (step === "day") return day.format(new Date(at));
  return (range === "7d" ? dayAndHour : minute).format(new Date(at));
};

/** A step's begin in a sentence or a table. */
export const stepWord = (range: InsightRange, at: string): string =>
  insightRanges[range].step === "day" ? `${day.format(new Date(at))} (UTC)` : dayAndMinute.format(new Date(at));

/** A day in UTC, in a sentence. */
export const dayWord = (date: string): string => day.format(new Date(date));

export const perStep = { minute: "each minute", hour: "each hour", day: "each day" } as const;
