// An organization's agent types, active and inactive apart, and how it stands with its repository.
import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { AgentTypeSummary, Organization } from "@task-service/contract";
import { NoAgentTypes } from "../../components/no-agent-types.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { isSyncTrouble, syncWord } from "../../components/sync-words.ts";
import { isSyncing, useSyncOrganization } from "../../data/organization-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { AgentTypeRow } from "./agent-type-row.tsx";
import classes from "./agents-page.module.css";
import { SyncTrouble } from "./sync-trouble.tsx";

interface OrganizationAgentsProps {
  organization: Organization;
  agentTypes: readonly AgentTypeSummary[];
}

const List = ({ agentTypes }: { agentTypes: readonly AgentTypeSummary[] }) => (
  <ul className={classes.types}>
    {agentTypes.map((type) => (
      <AgentTypeRow key={type.id} type={type} />
    ))}
  </ul>
);

export const OrganizationAgents = ({ organization, agentTypes }: OrganizationAgentsProps) => {
  const { name, agents_repo_effective_url: url, sync } = organization;
  const start = useSyncOrganization(organization.id);
  const isRunning = start.isPending || isSyncing(organization);
  const active = agentTypes.filter(({ is_active }) => is_active);
  const inactive = agentTypes.filter(({ is_active }) => !is_active);
  return (
    <section className={classes.organization} aria-label={name}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text size="sm" c={isSyncTrouble(sync) ? "var(--mantine-color-error)" : "dimmed"} component="div">
            <span role="status">{isRunning ? "Reading its repository…" : syncWord(sync)}</span>
            {sync.finished_at && (
              <>
                {" · "}
                <RelativeTime at={sync.finished_at} />
              </>
            )}
            {" · "}
            <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
              Repository
            </Anchor>
          </Text>
        </div>
        {active.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={16} />}
            onClick={() => start.mutate()}
            loading={isRunning}
          >
            Sync now
          </Button>
        )}
      </Group>
      <Stack gap="sm">
        {start.error && <Text c="var(--mantine-color-error)">{problemWords(start.error)}</Text>}
        <SyncTrouble organization={organization} hasActive={active.length > 0} />
        {active.length > 0 ? (
          <List agentTypes={active} />
        ) : (
          <NoAgentTypes organization={organization} onSync={start.mutate} isSyncing={isRunning} />
        )}
        {inactive.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb="xs">
              Inactive: no longer in the repository
            </Text>
            <List agentTypes={inactive} />
          </div>
        )}
      </Stack>
    </section>
  );
};
