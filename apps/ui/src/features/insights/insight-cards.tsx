// The cards of the insights, in their order; one whose numbers could not be read is left out.
import type { HistoryPoint, Stats, StatsUsage } from "@task-service/contract";
import { usageDays } from "../../data/stats-data.ts";
import { useNow } from "../../lib/now.ts";
import { ExecutorUsageCard, TokenUsageCard, WaitCard } from "./comparison-cards.tsx";
import { AgeCard, DepthCard, DispatchCard, TokensCard } from "./history-cards.tsx";
import { dayWord, type InsightRange, insightRanges } from "./insight-ranges.ts";
import classes from "./insights-page.module.css";

interface InsightCardsProps {
  range: InsightRange;
  /** Slug; empty for every organization. */
  organization: string;
  stats: Stats | undefined;
  history: readonly HistoryPoint[] | undefined;
  byExecutor: StatsUsage | undefined;
  byAgentType: StatsUsage | undefined;
  byOrganization: StatsUsage | undefined;
}

const ofOrganization = (usage: StatsUsage, organization: string): StatsUsage => ({
  ...usage,
  items: usage.items.filter(({ label }) => !organization || label.startsWith(`${organization}/`)),
});

export const InsightCards = (props: InsightCardsProps) => {
  const { range, organization, stats, history, byExecutor, byAgentType, byOrganization } = props;
  const { from, to } = usageDays(insightRanges[range].lengthMs, useNow());
  const days = `Whole days in UTC, ${dayWord(from)} to ${dayWord(to)}.`;
  const everyone = organization ? "Counts every organization." : undefined;
  const overTime = history && { history, range, remark: everyone };
  return (
    <div className={classes.cards}>
      {overTime && <DepthCard {...overTime} />}
      {overTime && <AgeCard {...overTime} />}
      {stats && <WaitCard stats={stats} organization={organization} />}
      {overTime && <DispatchCard {...overTime} />}
      {byExecutor && <ExecutorUsageCard usage={byExecutor} days={days} remark={everyone} />}
      {overTime && <TokensCard {...overTime} />}
      {byAgentType && <TokenUsageCard by="agent type" usage={ofOrganization(byAgentType, organization)} days={days} />}
      {byOrganization && <TokenUsageCard by="organization" usage={byOrganization} days={days} remark={everyone} />}
    </div>
  );
};
