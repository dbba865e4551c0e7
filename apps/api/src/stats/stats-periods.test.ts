// What a question about time is taken to mean, and which are refused.
import { expect, test } from "vitest";
import { RequestProblem } from "../platform/problems.ts";
import { historyPeriod, type Period, usagePeriod } from "./stats-periods.ts";

const now = Date.parse("2026-11-21T09:30:20.500Z");
const shown = ({ step, fromMs, toMs }: Period) => [step, ...[fromMs, toMs].map((ms) => new Date(ms).toISOString())];
const refusal = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof RequestProblem ? error.errors?.[0]?.pointer : error;
  }
};

test.each([
  [{}, ["minute", "2026-11-21T06:31:00.000Z", "2026-11-21T09:31:00.000Z"]],
  [{ step: "hour" }, ["hour", "2026-11-14T10:00:00.000Z", "2026-11-21T10:00:00.000Z"]],
  [{ step: "day" }, ["day", "2026-08-24T00:00:00.000Z", "2026-11-22T00:00:00.000Z"]],
  [
    { step: "hour", from: "2026-11-20T23:59:59+01:00", to: "2026-11-21T00:00:00Z" },
    ["hour", "2026-11-20T22:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  ],
  [
    { from: "2026-11-20T08:30:00Z", to: "2026-11-21T09:30:00Z" },
    ["minute", "2026-11-20T08:30:00.000Z", "2026-11-21T09:30:00.000Z"],
  ],
] as const)("a history of %j", (query, expected) => expect(shown(historyPeriod(query, now))).toEqual(expected));

test.each([
  [{ from: "2026-11-21T09:31:00Z" }, "?from"],
  [{ from: "2026-11-21T09:30:00Z", to: "2026-11-21T09:30:00Z" }, "?from"],
  [{ from: "2026-11-20T08:29:59Z", to: "2026-11-21T09:30:00Z" }, "?step"],
  [{ from: "0000-01-01T00:00:00Z" }, "?from"],
  [{ to: "9999-12-31T23:59:59-23:00" }, "?to"],
  [{ to: "2026-12-31T23:59:60Z" }, "?to"],
])("a history of %j is refused", (query, pointer) => expect(refusal(() => historyPeriod(query, now))).toBe(pointer));

test.each([
  [{}, ["day", "2026-10-23T00:00:00.000Z", "2026-11-22T00:00:00.000Z"]],
  [{ to: "2024-03-01", from: "2024-02-29" }, ["day", "2024-02-29T00:00:00.000Z", "2024-03-02T00:00:00.000Z"]],
  [{ from: "2026-08-22" }, ["day", "2026-08-22T00:00:00.000Z", "2026-11-22T00:00:00.000Z"]],
])("a usage of %j", (query, expected) => expect(shown(usagePeriod(query, now))).toEqual(expected));

test.each([
  [{ from: "2026-11-22" }, "?from"],
  [{ from: "2026-08-21" }, "?from"],
  [{ from: "1969-12-31", to: "1970-01-02" }, "?from"],
] as const)("a usage of %j is refused", (query, pointer) =>
  expect(refusal(() => usagePeriod(query, now))).toBe(pointer),
);
