// What needs somebody: tasks lost again and again, agent types nobody serves, personas that could not be read.
import { Anchor, Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Organization, Stats } from "@task-service/contract";
import type { ReactNode } from "react";
import { isSyncTrouble } from "../../components/sync-words.ts";
import { TasksLink } from "../../components/tasks-link.tsx";
import { useClient } from "../../data/client-context.tsx";
import { executorsQuery } from "../../data/executor-data.ts";
import { attentionQuery } from "../../data/stats-data.ts";
import { countOf, numberWord } from "../../lib/number-words.ts";
import { type Unserved, unservedTypes } from "./attention.ts";
import classes from "./insights-page.module.css";
import { useNames } from "./names.ts";

interface AttentionPanelProps {
  stats: Stats;
  organizations: readonly Organization[];
  /** Slug; empty for every organization. */
  organization: string;
}

const Item = ({ children }: { children: ReactNode }) => (
  <li>
    <IconAlertTriangle size={18} aria-hidden />
    <div>{children}</div>
  </li>
);

const LostTasks = () => {
  const { data } = useQuery(attentionQuery(useClient()));
  if (!data || data.count === 0) return null;
  const { count, isExact, tasks } = data;
  return (
    <Item>
      <TasksLink filter={{ needs_attention: true }}>
        {numberWord(count)}
        {!isExact && "+"} {count === 1 ? "task was" : "tasks were"} lost again and again
      </TasksLink>
      : they wait for somebody to look at them and requeue them.
      <Text size="sm" c="dimmed" component="div">
        {tasks.map(({ id, title }, at) => (
          <span key={id}>
            {at > 0 && " · "}
            <Anchor size="sm" renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}>
              <bdi>{title}</bdi>
            </Anchor>
          </span>
        ))}
      </Text>
    </Item>
  );
};

const UnservedType = ({ organization_slug, slug, queued, silentCount, name }: Unserved & { name: string }) => (
  <Item>
    <TasksLink filter={{ state: "queued", assignee: [`${organization_slug}/${slug}`] }}>
      {countOf(queued, "task")} for <bdi>{name}</bdi>
    </TasksLink>{" "}
    {queued === 1 ? "waits" : "wait"}, and{" "}
    {silentCount === 0 ? "no executor serves this agent type." : "the executor that served it has fallen silent."}{" "}
    <Anchor renderRoot={(props) => <Link to="/executors" {...props} />}>See the executors</Anchor>
  </Item>
);

const BrokenPersonas = ({ name, slug, sync }: Organization) => (
  <Item>
    <Anchor renderRoot={(props) => <Link to="/agents" search={{ organization: slug }} {...props} />}>
      {sync.status === "failed"
        ? `The agents repository of ${name} could not be read`
        : `${countOf(new Set(sync.errors.map(({ path }) => path)).size, "persona file")} of ${name} could not be read`}
    </Anchor>
    {sync.status === "failed" ? (
      <>
        : <bdi>{sync.message}</bdi>
      </>
    ) : (
      ". Agents keep their last good version."
    )}
  </Item>
);

export const AttentionPanel = ({ stats, organizations, organization }: AttentionPanelProps) => {
  const client = useClient();
  const { data: executors } = useQuery(executorsQuery(client));
  const { data: lost } = useQuery(attentionQuery(client));
  const { agentType } = useNames();
  const isWanted = (slug: string) => !organization || slug === organization;
  const types = stats.by_agent_type.filter(({ organization_slug }) => isWanted(organization_slug));
  const unserved = executors ? unservedTypes(types, executors) : [];
  const broken = organizations.filter(({ slug, sync }) => isWanted(slug) && isSyncTrouble(sync));
  const isCalm = lost?.count === 0 && unserved.length === 0 && broken.length === 0;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="attention">
      <Title order={2} size="h4" id="attention" mb="sm">
        Needs attention
      </Title>
      {isCalm ? (
        <Text c="dimmed">
          <IconCircleCheck size={16} aria-hidden style={{ verticalAlign: "-3px" }} /> Nothing. No task was lost, every
          waiting agent type has an executor, every persona was read.
        </Text>
      ) : (
        <ul className={classes.attention}>
          <LostTasks />
          {unserved.map((type) => (
            <UnservedType
              key={type.agent_type_id}
              {...type}
              name={agentType(`${type.organization_slug}/${type.slug}`)}
            />
          ))}
          {broken.map((one) => (
            <BrokenPersonas key={one.id} {...one} />
          ))}
        </ul>
      )}
    </Paper>
  );
};
