// The numbers that earn their place: what needs somebody, how the queue went, who waited, took and used how much.
import { Button, Group, SegmentedControl } from "@mantine/core";
import { IconChartAreaLine, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { OrganizationSelect } from "../../components/organization-select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { historyQuery, statsQuery, usageDays, usageQuery } from "../../data/stats-data.ts";
import { span } from "../../lib/instants.ts";
import { useNow } from "../../lib/now.ts";
import { countOf, numberWord } from "../../lib/number-words.ts";
import { AttentionPanel } from "./attention-panel.tsx";
import { ExecutorUsageCard, TokenUsageCard, WaitCard } from "./comparison-cards.tsx";
import { AgeCard, DepthCard, DispatchCard, TokensCard } from "./history-cards.tsx";
import { dayWord, type InsightRange, type InsightsSearch, insightRanges } from "./insight-ranges.ts";
import classes from "./insights-page.module.css";
import { InsightsSkeleton } from "./insights-skeleton.tsx";

const InsightsPage = ({ range = "24h", organization = "" }: InsightsSearch) => {
  const client = useClient();
  const navigate = useNavigate();
  const { lengthMs, step, words } = insightRanges[range];
  const stats = useQuery(statsQuery(client));
  const history = useQuery(historyQuery(client, step, lengthMs));
  const byExecutor = useQuery(usageQuery(client, "executor", lengthMs));
  const byAgentType = useQuery(usageQuery(client, "agent_type", lengthMs));
  const byOrganization = useQuery(usageQuery(client, "organization", lengthMs));
  const organizations = useQuery(organizationsQuery(client));

  const search = (change: InsightsSearch) => {
    const next = { range, organization, ...change };
    return navigate({
      to: "/insights",
      search: {
        ...(next.range !== "24h" && { range: next.range }),
        ...(next.organization && { organization: next.organization }),
      },
      replace: true,
    });
  };
  const days = usageDays(lengthMs, useNow());
  const daysWords = `Whole days in UTC, ${dayWord(days.from)} to ${dayWord(days.to)}.`;
  const everyone = organization ? "Counts every organization." : undefined;
  const isBlank =
    stats.data?.queued === 0 &&
    stats.data.live === 0 &&
    history.data?.every(({ dispatched, queued }) => dispatched === 0 && !queued) === true;

  return (
    <>
      <PageHeader
        title="Insights"
        numbers={
          stats.data &&
          [
            `${numberWord(stats.data.queued)} queued`,
            ...(stats.data.oldest_queued_seconds === null
              ? []
              : [`oldest ${span(0, stats.data.oldest_queued_seconds * 1000)}`]),
            `${numberWord(stats.data.live)} running`,
            `${countOf(stats.data.dispatch.last_1h.dispatched, "dispatch", "dispatches")} in the last hour`,
          ].join(" · ")
        }
      />
      <div className={classes.page}>
        <Group gap="sm" role="group" aria-label="What is looked at">
          <SegmentedControl
            className={classes.ranges ?? ""}
            aria-label="Time"
            value={range}
            onChange={(next) => search({ range: next as InsightRange })}
            data={Object.entries(insightRanges).map(([value, { label }]) => ({ value, label }))}
          />
          <OrganizationSelect
            organizations={organizations.data ?? []}
            value={organization}
            onChange={(slug) => search({ organization: slug })}
          />
        </Group>
        <QueryView query={stats} name="the numbers of now" skeleton={null}>
          {(now) => <AttentionPanel stats={now} organizations={organizations.data ?? []} organization={organization} />}
        </QueryView>
        {isBlank ? (
          <EmptyNotice
            icon={<IconChartAreaLine />}
            title={`Nothing has happened in ${words}`}
            action={
              <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/tasks/new" {...props} />}>
                New task
              </Button>
            }
          >
            Nothing was queued, nothing was dispatched. Look further back, or begin with a task.
          </EmptyNotice>
        ) : (
          <QueryView query={history} name="the history" skeleton={<InsightsSkeleton />}>
            {(points) => (
              <div className={classes.cards}>
                <DepthCard history={points} range={range} remark={everyone} />
                <AgeCard history={points} range={range} remark={everyone} />
                {stats.data && <WaitCard stats={stats.data} organization={organization} />}
                <DispatchCard history={points} range={range} remark={everyone} />
                <QueryView query={byExecutor} name="what executors took" skeleton={null}>
                  {(usage) => <ExecutorUsageCard usage={usage} days={daysWords} remark={everyone} />}
                </QueryView>
                <TokensCard history={points} range={range} remark={everyone} />
                <QueryView query={byAgentType} name="the tokens by agent type" skeleton={null}>
                  {(usage) => (
                    <TokenUsageCard
                      by="agent type"
                      usage={{
                        ...usage,
                        items: usage.items.filter(({ label }) => !organization || label.startsWith(`${organization}/`)),
                      }}
                      days={daysWords}
                    />
                  )}
                </QueryView>
                <QueryView query={byOrganization} name="the tokens by organization" skeleton={null}>
                  {(usage) => <TokenUsageCard by="organization" usage={usage} days={daysWords} remark={everyone} />}
                </QueryView>
              </div>
            )}
          </QueryView>
        )}
      </div>
    </>
  );
};

export default InsightsPage;
