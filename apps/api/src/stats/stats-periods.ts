// Which stretch of time a question is about: what was left out filled in, what would be too much to answer refused.
import {
  type HistoryQuery,
  type HistoryStep,
  maxHistoryPoints,
  maxUsageDays,
  type UsageQuery,
} from "@task-service/contract";
import { invalid } from "../platform/problems.ts";

/** Whole steps from `fromMs` up to, not including, `toMs`. */
export interface Period {
  step: HistoryStep;
  fromMs: number;
  toMs: number;
}

export const stepMs: Record<HistoryStep, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const defaultHistorySteps: Record<HistoryStep, number> = { minute: 3 * 60, hour: 7 * 24, day: 90 };
const defaultUsageDays = 30;

const earliestMs = Date.UTC(1970, 0, 1);
const latestMs = Date.UTC(9999, 11, 31);

/** Throws `invalid_request` for an instant that is none, such as a leap second, or is out of the range of years. */
const readInstant = (pointer: string, text: string): number => {
  const ms = Date.parse(text);
  if (ms >= earliestMs && ms <= latestMs) return ms;
  throw invalid(pointer, "must be an instant from 1970 to 9999");
};

const lengthOf = ({ step, fromMs, toMs }: Period): number => (toMs - fromMs) / stepMs[step];

/** Every step that the time asked for touches. Throws `invalid_request`. */
export const historyPeriod = ({ from, to, step = "minute" }: HistoryQuery, nowMs: number): Period => {
  const ms = stepMs[step];
  const toMs = Math.ceil((to === undefined ? nowMs : readInstant("?to", to)) / ms) * ms;
  const fromMs =
    from === undefined ? toMs - defaultHistorySteps[step] * ms : Math.floor(readInstant("?from", from) / ms) * ms;
  const period = { step, fromMs, toMs };
  if (fromMs >= toMs) throw invalid("?from", "must be before to");
  if (lengthOf(period) > maxHistoryPoints) {
    throw invalid("?step", `is too small: from here to there are more than ${maxHistoryPoints} of them`);
  }
  return period;
};

/** Whole days. Throws `invalid_request`. */
export const usagePeriod = ({ from, to }: UsageQuery, nowMs: number): Period => {
  const ms = stepMs.day;
  const lastMs = to === undefined ? Math.floor(nowMs / ms) * ms : readInstant("?to", to);
  const fromMs = from === undefined ? lastMs - (defaultUsageDays - 1) * ms : readInstant("?from", from);
  const period = { step: "day", fromMs, toMs: lastMs + ms } as const;
  if (fromMs > lastMs) throw invalid("?from", "must not be after to");
  if (lengthOf(period) > maxUsageDays) throw invalid("?from", `must not be ${maxUsageDays} days before to or more`);
  return period;
};
