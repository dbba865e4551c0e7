// One organization: its name, its agent types, how it stands with its repository, and what can be done with it.
import { ActionIcon, Anchor, Group, Table, Text } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Organization } from "@task-service/contract";
import { RelativeTime } from "../../components/relative-time.tsx";
import { isSyncTrouble, syncWord } from "../../components/sync-words.ts";
import { TasksLink } from "../../components/tasks-link.tsx";
import { isSyncing } from "../../data/organization-data.ts";
import { countOf, numberWord } from "../../lib/number-words.ts";

interface OrganizationRowProps {
  organization: Organization;
  /** Its tasks now; undefined: not known. */
  tasks: { queued: number; live: number } | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

export const OrganizationRow = ({ organization, tasks, onEdit, onDelete }: OrganizationRowProps) => {
  const { name, slug, agent_type_count, agents_repo_effective_url: url, sync } = organization;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600}>{name}</Text>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Anchor
          renderRoot={(props) => <Link to="/agents" search={{ organization: slug }} {...props} />}
          aria-label={`${countOf(agent_type_count, "agent type")} of ${name}`}
        >
          {numberWord(agent_type_count)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        {tasks ? (
          <TasksLink
            filter={{ organization: [slug], state: "queued" }}
            aria-label={`${countOf(tasks.queued, "queued task")} of ${name}`}
          >
            {numberWord(tasks.queued)}
          </TasksLink>
        ) : (
          "–"
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {tasks ? (
          <TasksLink
            filter={{ organization: [slug], state: "running" }}
            aria-label={`${countOf(tasks.live, "running task")} of ${name}`}
          >
            {numberWord(tasks.live)}
          </TasksLink>
        ) : (
          "–"
        )}
      </Table.Td>
      <Table.Td>
        <Text c={isSyncTrouble(sync) ? "var(--mantine-color-error)" : "bright"}>
          {isSyncing(organization) ? "Synchronizing…" : syncWord(sync)}
        </Text>
        {sync.finished_at && (
          <Text size="xs" c="dimmed">
            <RelativeTime at={sync.finished_at} />
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: "anywhere" }}>
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          {url}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end">
          <ActionIcon variant="subtle" color="gray" aria-label={`Change ${name}`} onClick={onEdit}>
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={onDelete}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
};
