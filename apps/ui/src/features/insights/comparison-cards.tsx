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
import { useNames } from "./names.ts";

const waitSeries: ChartSeries[] = [
  { name: "Half waited at most", color: "var(--chart-indigo)", pattern: "solid" },
  { name: "95 of 100 waited at most", color: "var(--chart-orange)", pattern: "hatched" },
];

interface WaitRow {
  /** "acme/developer", which has a name too; "All agent types" as it is. */
  label: string;
  /** Of one agent type, or of all of them. */
  isAll: boolean;
  p50: number | null;
  p95: number | null;
  queued: number;
}

const waitRows = ({ by_agent_type, dispatch, queued }: Stats, organization: string): WaitRow[] => {
  const types = by_agent_type
    .filter(({ organization_slug }) => !organization || organization_slug === organization)
    .map(({ organization_slug, slug, wait_ms, queued: ofType }) => ({
      label: `${organization_slug}/${slug}`,
      isAll: false,
      p50: wait_ms.p50,
      p95: wait_ms.p95,
      queued: ofType,
    }))
    .toSorted((a, b) => (b.p95 ?? 0) - (a.p95 ?? 0));
  const { p50, p95 } = dispatch.last_24h.wait_ms;
  const rows = organization ? types : [{ label: "All agent types", isAll: true, p50, p95, queued }, ...types];
  return rows.filter((row) => row.p95 !== null);
};

const wait = (ms: number | null) => (ms === null ? null : durationWord(ms));

/** `organization` is a slug; empty for every organization. */
export const WaitCard = ({ stats, organization }: { stats: Stats; organization: string }) => {
  const rows = waitRows(stats, organization);
  const [first] = rows;
  const names = useNames();
  return (
    <ChartCard
      title="Wait from queued to dispatched, by agent type"
      summary={
        first
          ? `${names.agentType(first.label)}: half of the tasks waited ${wait(first.p50)} at most, 95 of 100 ${wait(first.p95)}.`
          : null
      }
      nothing={
        organization ? "Nothing of it is queued or running now." : "Nothing was dispatched in the last 24 hours."
      }
      remark={first && "Always the last 24 hours; by name, those with tasks queued or running now."}
      columns={[
        { name: "Agent type", value: ({ label }) => label, words: ({ label }) => <bdi>{names.agentType(label)}</bdi> },
        { name: "Median (ms)", value: ({ p50 }) => p50, words: ({ p50 }) => wait(p50) },
        { name: "95th percentile (ms)", value: ({ p95 }) => p95, words: ({ p95 }) => wait(p95) },
        { name: "Queued now", value: ({ queued }) => queued, words: ({ queued }) => numberWord(queued) },
      ]}
      rows={rows}
      link={
        <TasksLink filter={{ state: "queued", ...(organization && { organization: [organization] }) }}>
          The queued tasks
        </TasksLink>
      }
    >
      <BarList
        series={waitSeries}
        format={durationWord}
        items={rows.map(({ label, isAll, p50, p95 }) => ({
          key: label,
          name: names.agentType(label),
          ...(!isAll && { filter: { assignee: [label] } }),
          values: [p50, p95],
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

/** A spreadsheet gets the label itself, which stays when somebody changes a name. */
const usageColumns = (name: string, nameOf: (label: string) => string) => [
  { name, value: ({ label }: UsageItem) => label, words: ({ label }: UsageItem) => <bdi>{nameOf(label)}</bdi> },
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
      columns={usageColumns("Executor", (label) => label)}
      rows={items}
      link={<Anchor renderRoot={(props) => <Link to="/executors" {...props} />}>The executors</Anchor>}
    >
      <BarList
        series={[handed]}
        format={numberWord}
        items={items.map(({ key, label, dispatches }) => ({
          key: key ?? "",
          name: label,
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
  const names = useNames();
  const nameOf = by === "organization" ? names.organization : names.agentType;
  return (
    <ChartCard
      title={`Tokens by ${by}`}
      summary={
        most
          ? `${nameOf(most.label)} used the most: ${numberWord(most.input_tokens)} in and ${numberWord(most.output_tokens)} out.`
          : null
      }
      nothing="No tokens were reported on these days."
      remark={remarks(days, remark)}
      columns={usageColumns(by === "organization" ? "Organization" : "Agent type", nameOf)}
      rows={items}
    >
      <BarList
        series={tokenSeries}
        format={shortNumber}
        items={items.map(({ key, label, input_tokens, output_tokens }) => ({
          key: key ?? "",
          name: nameOf(label),
          ...(key !== null && { filter: by === "organization" ? { organization: [label] } : { assignee: [label] } }),
          values: [input_tokens, output_tokens],
        }))}
      />
    </ChartCard>
  );
};
