// Whom a task is assigned to: an agent type with its face, a person with initials, or nobody.
import { Avatar, Group, Text } from "@mantine/core";
import type { TaskSummary } from "@task-service/contract";
import { AgentAvatar } from "./agent-avatar.tsx";

type Assigned = Pick<TaskSummary, "agent_type" | "assignee_type" | "assignee">;

/** The name alone, for sentences and labels. */
export const assigneeName = ({ agent_type, assignee }: Assigned): string => agent_type?.name ?? assignee ?? "Nobody";

export const AssigneeMark = ({ task }: { task: Assigned }) => {
  const { agent_type, assignee_type } = task;
  const name = assigneeName(task);
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      {agent_type && <AgentAvatar slug={agent_type.slug} />}
      {assignee_type === "user" && (
        // Some of the colours are too faint for letters on their own tint.
        <Avatar
          size={20}
          name={name}
          color="initials"
          styles={{ placeholder: { color: "var(--mantine-color-text)" } }}
          aria-hidden
        />
      )}
      <Text truncate title={name} {...(!assignee_type && { c: "dimmed" })}>
        {name}
      </Text>
      {agent_type && !agent_type.is_active && (
        <Text size="xs" c="dimmed">
          inactive
        </Text>
      )}
    </Group>
  );
};
