// Compares a few things by length: each bar stands beside its name and its number.
import { Text } from "@mantine/core";
import { TasksLink } from "../../components/tasks-link.tsx";
import type { TaskFilterValues } from "../../lib/task-filters.ts";
import { ChartLegend, ChartPatterns, type ChartSeries, patternFill } from "./chart-patterns.tsx";
import classes from "./insights-page.module.css";

export interface BarItem {
  key: string;
  name: string;
  /** The tasks behind it. */
  filter?: TaskFilterValues;
  /** One for each series; null: not known. */
  values: readonly (number | null)[];
}

interface BarListProps {
  series: readonly ChartSeries[];
  items: readonly BarItem[];
  format: (value: number) => string;
}

const maxShown = 8;

export const BarList = ({ series, items, format }: BarListProps) => {
  const shown = items.slice(0, maxShown);
  const most = Math.max(1, ...shown.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <>
      {series.length > 1 && <ChartLegend series={series} />}
      <ChartPatterns series={series} />
      <ul className={classes.bars}>
        {shown.map(({ key, name, filter, values }) => (
          <li key={key}>
            <span className={classes.barName} title={name}>
              {filter ? (
                <TasksLink filter={filter}>
                  <bdi>{name}</bdi>
                </TasksLink>
              ) : (
                <bdi>{name}</bdi>
              )}
            </span>
            <span className={classes.barGroup}>
              {series.map((one, at) => {
                const value = values[at] ?? null;
                return (
                  <span key={one.name} className={classes.bar}>
                    <svg width="100%" height={14} aria-hidden="true">
                      <rect
                        width={`${(100 * Math.max(0, value ?? 0)) / most}%`}
                        height={14}
                        rx={2}
                        fill={patternFill(one)}
                        stroke={one.color}
                      />
                    </svg>
                    <span className={classes.barValue}>
                      {series.length > 1 && <span className={classes.unseen}>{one.name}: </span>}
                      {value === null ? "–" : format(value)}
                    </span>
                  </span>
                );
              })}
            </span>
          </li>
        ))}
      </ul>
      {items.length > maxShown && (
        <Text size="xs" c="dimmed" mt="xs">
          The first {maxShown} of {items.length}; the table has all.
        </Text>
      )}
    </>
  );
};
