// Why the queue is empty, and what to do: no organization yet, no agent types yet, or simply all dispatched.
import { Button, Stack } from "@mantine/core";
import { IconBuildingPlus, IconChecks } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Organization } from "@task-service/contract";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { NoAgentTypes } from "../../components/no-agent-types.tsx";
import { useClient } from "../../data/client-context.tsx";
import { isSyncing, organizationsQuery, useSyncOrganization } from "../../data/organization-data.ts";
import { groupCountWord } from "./dispatched-panel.tsx";

const WithoutAgentTypes = ({ organization }: { organization: Organization }) => {
  const sync = useSyncOrganization(organization.id);
  const isRunning = sync.isPending || isSyncing(organization);
  return <NoAgentTypes organization={organization} onSync={sync.mutate} isSyncing={isRunning} />;
};

const QueueEmpty = ({ runningCount }: { runningCount: number }) => {
  const { data: organizations } = useQuery(organizationsQuery(useClient()));
  if (!organizations) return null;
  if (organizations.length === 0)
    return (
      <EmptyNotice
        icon={<IconBuildingPlus />}
        title="No organizations yet"
        action={
          <Button renderRoot={(props) => <Link to="/organizations" search={{ create: true }} {...props} />}>
            Create an organization
          </Button>
        }
      >
        An organization brings its agent types from a git repository; tasks are assigned to them.
      </EmptyNotice>
    );
  if (organizations.every(({ agent_type_count }) => agent_type_count === 0))
    return (
      <Stack gap="xl" py="lg">
        {organizations.map((organization) => (
          <WithoutAgentTypes key={organization.id} organization={organization} />
        ))}
      </Stack>
    );
  return (
    <EmptyNotice
      icon={<IconChecks />}
      title="All dispatched"
      action={<Button renderRoot={(props) => <Link to="/tasks/new" {...props} />}>New task</Button>}
    >
      {runningCount > 0
        ? `Nothing waits. ${groupCountWord(runningCount)} ${runningCount === 1 ? "task runs" : "tasks run"} right now.`
        : "Nothing waits and nothing runs."}
    </EmptyNotice>
  );
};

export default QueueEmpty;
