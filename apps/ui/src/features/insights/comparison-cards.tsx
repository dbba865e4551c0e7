// What is compared by name: waiting by agent type, dispatches by executor, tokens by agent type and organization.
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Stats, StatsUsage, UsageItem } from "@task-service/contract";
import { TasksLink } from "../../components/tasks-link.tsx";
import { durationWord, numberWord, shortNumber } from "../../lib/number-words.ts";
import { BarList } from "./bar-list.tsx";
import { ChartCard } from "./chart-card.tsx";
import type { ChartSeries } from "./chart-patterns.tsx";
import { tokenSeries } from "./history-cards.tsx";

const waitSeries: ChartSeries[] = [
  { name: "Half waited at most", color: "var(--chart-indigo)", pattern: "solid" },
  { name: "95 of 100 waited at most", color: "var(--chart-orange)", pattern: "hatched" },
];

/** `types` are those of the organization that is looked at. */
export const WaitCard = ({ types }: { types: Stats["by_agent_type"] }) => {
  const waited = types
    .filter(({ wait_ms }) => wait_ms.p95 !== null)
    .toSorted((a, b) => (b.wait_ms.p95 ?? 0) - (a.wait_ms.p95 ?? 0));
  const [longest] = waited;
  const pathOf = ({ organization_slug, slug }: (typeof types)[number]) => `${organization_slug}/${slug}`;
  const wait = (ms: number | null) => (ms === null ? null : durationWord(ms));
  return (
    <ChartCard
      title="Wait from queued to dispatched, by agent type"
      summary={
        longest
          ? `Longest for ${pathOf(longest)}: half of its tasks waited ${wait(longest.wait_ms.p50)} at most, 95 of 100 ${wait(longest.wait_ms.p95)}.`
          : null
      }
      nothing="Nothing was dispatched in the last 24 hours."
      remark="Always the last 24 hours."
      columns={[
        { name: "Agent type", value: pathOf },
        { name: "Median (ms)", value: ({ wait_ms }) => wait_ms.p50, words: ({ wait_ms }) => wait(wait_ms.p50) },
        {
          name: "95th percentile (ms)",
          value: ({ wait_ms }) => wait_ms.p95,
          words: ({ wait_ms }) => wait(wait_ms.p95),
        },
        { name: "Queued now", value: ({ queued }) => queued },
      ]}
      rows={waited}
      link={<TasksLink filter={{ state: "queued" }}>The queued tasks</TasksLink>}
    >
      <BarList
        series={waitSeries}
        format={durationWord}
        items={waited.map((type) => ({
          key: type.agent_type_id,
          label: (
            <TasksLink filter={{ assignee: pathOf(type) }}>
              <bdi>{pathOf(type)}</bdi>
            </TasksLink>
          ),
          values: [type.wait_ms.p50, type.wait_ms.p95],
        }))}
      />
    </ChartCard>
  );
};

interface UsageCardProps {
  usage: StatsUsage;
  /** Which days, in words. */
  days: string;
  remark?: string | undefined;
}

const usageColumns = (name: string) => [
  { name, value: ({ label }: UsageItem) => label },
  {
    name: "Dispatches",
    value: ({ dispatches }: UsageItem) => dispatches,
    words: ({ dispatches }: UsageItem) => numberWord(dispatches),
  },
  {
    name: "Tokens in",
    value: (item: UsageItem) => item.input_tokens,
    words: (item: UsageItem) => numberWord(item.input_tokens),
  },
  {
    name: "Tokens out",
    value: (item: UsageItem) => item.output_tokens,
    words: (item: UsageItem) => numberWord(item.output_tokens),
  },
];

const remarks = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(" ");

const handed: ChartSeries = { name: "Dispatches", color: "var(--chart-indigo)", pattern: "solid" };

export const ExecutorUsageCard = ({ usage, days, remark }: UsageCardProps) => {
  const items = usage.items.toSorted((a, b) => b.dispatches - a.dispatches);
  const [busiest] = items;
  return (
    <ChartCard
      title="Dispatched tasks by executor"
      summary={
        busiest
          ? `${busiest.label} took the most: ${numberWord(busiest.dispatches)} of ${numberWord(usage.total.dispatches)}.`
          : null
      }
      nothing="No executor took a task on these days."
      remark={remarks(days, remark)}
      columns={usageColumns("Executor")}
      rows={items}
      link={<Anchor renderRoot={(props) => <Link to="/executors" {...props} />}>The executors</Anchor>}
    >
      <BarList
        series={[handed]}
        format={numberWord}
        items={items.map(({ key, label, dispatches }) => ({
          key: key ?? "",
          label: <bdi>{label}</bdi>,
          values: [dispatches],
        }))}
      />
    </ChartCard>
  );
};

interface TokenUsageCardProps extends UsageCardProps {
  by: "agent type" | "organization";
}

export const TokenUsageCard = ({ usage, days, remark, by }: TokenUsageCardProps) => {
  const items = usage.items.filter(({ input_tokens, output_tokens }) => input_tokens !== 0 || output_tokens !== 0);
  const [most] = items;
  return (
    <ChartCard
      title={`Tokens by ${by}`}
      summary={
        most
          ? `${most.label} used the most: ${numberWord(most.input_tokens)} in and ${numberWord(most.output_tokens)} out.`
          : null
      }
      nothing="No tokens were reported on these days."
      remark={remarks(days, remark)}
      columns={usageColumns(by === "organization" ? "Organization" : "Agent type")}
      rows={items}
    >
      <BarList
        series={tokenSeries}
        format={shortNumber}
        items={items.map(({ key, label, input_tokens, output_tokens }) => ({
          key: key ?? "",
          label: (
            <TasksLink filter={by === "organization" ? { organization: label } : { assignee: label }}>
              <bdi>{label}</bdi>
            </TasksLink>
          ),
          values: [input_tokens, output_tokens],
        }))}
      />
    </ChartCard>
  );
};
