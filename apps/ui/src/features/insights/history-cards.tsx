// What the history tells over time: how deep the queue was, how old its oldest task, what was dispatched and used.
import type { HistoryPoint } from "@task-service/contract";
import { TasksLink } from "../../components/tasks-link.tsx";
import { countOf, durationUnit, durationWord, inUnit, numberWord, shortNumber } from "../../lib/number-words.ts";
import { ChartCard } from "./chart-card.tsx";
import type { ChartSeries } from "./chart-patterns.tsx";
import { type InsightRange, insightRanges, perStep, stepWord } from "./insight-ranges.ts";
import { depthRows, extremes } from "./queue-series.ts";
import { TimeChart } from "./time-chart.tsx";

interface HistoryCardProps {
  history: readonly HistoryPoint[];
  range: InsightRange;
  remark?: string | undefined;
}

/** The lowest of the pile first. */
const bands: ChartSeries[] = [
  { name: "Urgent", color: "var(--chart-red)", pattern: "solid" },
  { name: "High", color: "var(--chart-orange)", pattern: "hatched" },
  { name: "Normal", color: "var(--chart-indigo)", pattern: "dotted" },
  { name: "Low", color: "var(--chart-grey)", pattern: "lined" },
];

const whenColumn = (range: InsightRange) => ({
  name: "From",
  value: ({ at }: { at: string }) => at,
  words: ({ at }: { at: string }) => stepWord(range, at),
});

export const DepthCard = ({ history, range, remark }: HistoryCardProps) => {
  const rows = depthRows(history);
  const { most, last } = extremes(rows, "queued");
  return (
    <ChartCard
      title="Queued tasks by priority"
      summary={
        most && last
          ? most.queued === 0
            ? `Whenever the queue was looked at in ${insightRanges[range].words}, nothing was queued.`
            : `At most ${countOf(most.queued ?? 0, "task was", "tasks were")} queued, on ${stepWord(range, most.at)}; ${numberWord(last.queued ?? 0)} at the end of ${insightRanges[range].words}.`
          : null
      }
      nothing="Nobody has looked at the queue in this time."
      remark={remark}
      columns={[
        whenColumn(range),
        { name: "All", value: ({ queued }) => queued },
        ...bands.map(({ name }) => ({ name, value: (row: (typeof rows)[number]) => row[name as "Urgent"] })),
      ]}
      rows={rows}
      link={<TasksLink filter={{ state: "queued" }}>The queued tasks</TasksLink>}
    >
      <TimeChart kind="areas" range={range} rows={rows} series={bands} format={shortNumber} />
    </ChartCard>
  );
};

const oldest: ChartSeries = { name: "Oldest", color: "var(--chart-indigo)", pattern: "solid" };

export const AgeCard = ({ history, range, remark }: HistoryCardProps) => {
  const { most, last } = extremes(history, "oldest_queued_seconds");
  const ageOf = ({ oldest_queued_seconds: seconds }: HistoryPoint) => durationWord((seconds ?? 0) * 1000);
  // Even steps on the axis are even in the unit it is said in.
  const unit = durationUnit((most?.oldest_queued_seconds ?? 0) * 1000);
  return (
    <ChartCard
      title="Age of the oldest queued task"
      summary={
        most && last
          ? `At its oldest ${ageOf(most)}, on ${stepWord(range, most.at)}; ${ageOf(last)} when a task was last waiting.`
          : null
      }
      nothing="No task had to wait in this time."
      remark={remark}
      columns={[
        whenColumn(range),
        { name: "Seconds", value: ({ oldest_queued_seconds }) => oldest_queued_seconds },
        { name: "Age", value: (row) => (row.oldest_queued_seconds === null ? null : ageOf(row)) },
      ]}
      rows={history}
      link={<TasksLink filter={{ state: "queued" }}>The queued tasks</TasksLink>}
    >
      <TimeChart
        kind="bars"
        range={range}
        rows={history.map(({ at, oldest_queued_seconds: seconds }) => ({
          at,
          [oldest.name]: seconds === null ? null : (seconds * 1000) / unit.ms,
        }))}
        series={[oldest]}
        format={(value) => inUnit(value, unit.name)}
      />
    </ChartCard>
  );
};

const dispatched: ChartSeries = { name: "Dispatched", color: "var(--chart-indigo)", pattern: "solid" };

export const DispatchCard = ({ history, range, remark }: HistoryCardProps) => {
  const { most } = extremes(history, "dispatched");
  const total = history.reduce((sum, point) => sum + point.dispatched, 0);
  return (
    <ChartCard
      title={`Dispatched tasks ${perStep[insightRanges[range].step]}`}
      summary={
        total > 0 && most
          ? `${countOf(total, "task was", "tasks were")} dispatched in ${insightRanges[range].words}; the most, ${numberWord(most.dispatched)}, on ${stepWord(range, most.at)}.`
          : null
      }
      nothing="Nothing was dispatched in this time."
      remark={remark}
      columns={[whenColumn(range), { name: "Dispatched", value: (point) => point.dispatched }]}
      rows={history}
      link={<TasksLink filter={{ state: "dispatched" }}>The dispatched tasks</TasksLink>}
    >
      <TimeChart
        kind="bars"
        range={range}
        rows={history.map((point) => ({ at: point.at, [dispatched.name]: point.dispatched }))}
        series={[dispatched]}
        format={shortNumber}
      />
    </ChartCard>
  );
};

export const tokenSeries: ChartSeries[] = [
  { name: "Tokens in", color: "var(--chart-indigo)", pattern: "solid" },
  { name: "Tokens out", color: "var(--chart-orange)", pattern: "hatched" },
];

export const TokensCard = ({ history, range, remark }: HistoryCardProps) => {
  const input = history.reduce((sum, point) => sum + point.input_tokens, 0);
  const output = history.reduce((sum, point) => sum + point.output_tokens, 0);
  return (
    <ChartCard
      title={`Tokens reported ${perStep[insightRanges[range].step]}`}
      summary={
        input !== 0 || output !== 0
          ? `${numberWord(input)} in and ${numberWord(output)} out were reported in ${insightRanges[range].words}.`
          : null
      }
      nothing="No tokens were reported in this time."
      remark={remark}
      columns={[
        whenColumn(range),
        { name: "Tokens in", value: (point) => point.input_tokens },
        { name: "Tokens out", value: (point) => point.output_tokens },
      ]}
      rows={history}
    >
      <TimeChart
        kind="bars"
        range={range}
        rows={history.map(({ at, input_tokens, output_tokens }) => ({
          at,
          "Tokens in": input_tokens,
          "Tokens out": output_tokens,
        }))}
        series={tokenSeries}
        format={shortNumber}
      />
    </ChartCard>
  );
};
