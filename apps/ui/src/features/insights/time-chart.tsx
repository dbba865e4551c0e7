// A chart over time: areas or bars on top of each other, or one line. Its card says in words and in a table what it shows.
import { AreaChart, BarChart } from "@mantine/charts";
import "@mantine/charts/styles.layer.css";
import { useElementSize } from "@mantine/hooks";
import { ChartLegend, ChartPatterns, type ChartSeries, patternFill } from "./chart-patterns.tsx";
import { type InsightRange, stepWord, tickWord } from "./insight-ranges.ts";
import classes from "./insights-page.module.css";

interface TimeChartProps {
  kind: "areas" | "bars";
  range: InsightRange;
  /** Each with `at` and a number or null by the name of each series. */
  rows: Record<string, string | number | null>[];
  series: readonly ChartSeries[];
  /** Writes a value on the axis and in the tooltip. */
  format: (value: number) => string;
}

const heightPx = 220;

export const TimeChart = ({ kind, range, rows, series, format }: TimeChartProps) => {
  const { ref, width } = useElementSize();
  const fillOf = ({ name }: { name: string }) => {
    const one = series.find((candidate) => candidate.name === name);
    return { isAnimationActive: false, ...(one && { fill: patternFill(one), fillOpacity: 1, stroke: one.color }) };
  };
  const isAlone = (name: string, at: number) =>
    rows[at]?.[name] != null && rows[at - 1]?.[name] == null && rows[at + 1]?.[name] == null;
  /** An area needs two points: one between gaps is a dot. */
  const areaOf = ({ name, color }: { name: string; color: string }) => ({
    ...fillOf({ name }),
    dot: ({ cx, cy, index = 0 }: { cx?: number; cy?: number; index?: number }) =>
      isAlone(name, index) ? <circle key={index} cx={cx} cy={cy} r={2.5} fill={color} /> : <g key={index} />,
  });
  const common = {
    h: heightPx,
    data: rows,
    dataKey: "at",
    series: series.map(({ name, color }) => ({ name, color })),
    type: "stacked" as const,
    valueFormatter: format,
    gridAxis: "x" as const,
    tickLine: "none" as const,
    textColor: "var(--mantine-color-dimmed)",
    gridColor: "var(--hairline)",
    accessibilityLayer: false,
    xAxisProps: { tickFormatter: (at: string) => tickWord(range, at), minTickGap: 48 },
    yAxisProps: { width: 64, allowDecimals: false },
    tooltipProps: {
      labelFormatter: (at: unknown) => (at ? stepWord(range, String(at)) : ""),
      isAnimationActive: false,
    },
  };
  return (
    <div ref={ref}>
      {series.length > 1 && <ChartLegend series={series} />}
      <ChartPatterns series={series} />
      {/* The sentence above it and the table behind it tell the same. */}
      <div aria-hidden="true" className={classes.chart}>
        {width > 0 &&
          (kind === "areas" ? (
            <AreaChart
              {...common}
              curveType="linear"
              connectNulls={false}
              withDots={false}
              strokeWidth={1.5}
              areaProps={areaOf}
            />
          ) : (
            <BarChart {...common} barProps={fillOf} maxBarWidth={28} />
          ))}
      </div>
    </div>
  );
};
