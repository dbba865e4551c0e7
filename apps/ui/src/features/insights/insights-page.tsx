// The numbers that earn their place: what needs somebody, how the queue went, who waited, took and used how much.
import { Button, Group, SegmentedControl, Skeleton } from "@mantine/core";
import { IconChartAreaLine, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { joinQueries } from "../../components/joined-queries.ts";
import { OrganizationSelect } from "../../components/organization-select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryTrouble } from "../../components/query-trouble.tsx";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { historyQuery, statsQuery, usageQuery } from "../../data/stats-data.ts";
import { span } from "../../lib/instants.ts";
import { countOf, numberWord } from "../../lib/number-words.ts";
import { AttentionPanel } from "./attention-panel.tsx";
import { InsightCards } from "./insight-cards.tsx";
import { type InsightRange, type InsightsSearch, insightRanges } from "./insight-ranges.ts";
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
  const numbers = joinQueries({ stats, history, byExecutor, byAgentType, byOrganization });
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
        <QueryTrouble query={numbers} name="the numbers" />
        {stats.data ? (
          <AttentionPanel stats={stats.data} organizations={organizations.data ?? []} organization={organization} />
        ) : (
          !numbers.error && <Skeleton h={96} />
        )}
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
        ) : numbers.data || numbers.error ? (
          <InsightCards
            range={range}
            organization={organization}
            stats={stats.data}
            history={history.data}
            byExecutor={byExecutor.data}
            byAgentType={byAgentType.data}
            byOrganization={byOrganization.data}
          />
        ) : (
          <div aria-busy="true">
            <InsightsSkeleton />
          </div>
        )}
      </div>
    </>
  );
};

export default InsightsPage;
