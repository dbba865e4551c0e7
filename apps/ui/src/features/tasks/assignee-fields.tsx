// Says who does a task: an agent type, a person by name, or nobody yet.
import { SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { AgentTypePicker } from "./agent-type-picker.tsx";
import type { AssigneeKind } from "./task-draft.ts";

export interface Assignee {
  assignee_type: AssigneeKind;
  assignee: string;
}

interface AssigneeFieldsProps {
  value: Assignee;
  onChange: (value: Assignee) => void;
  error?: string | null;
  autoFocus?: boolean;
}

const kinds = [
  { value: "agent", label: "Agent" },
  { value: "user", label: "Person" },
  { value: "nobody", label: "Nobody" },
] as const;

export const AssigneeFields = ({ value, onChange, error, autoFocus = false }: AssigneeFieldsProps) => {
  const { assignee_type, assignee } = value;
  const name = (next: string) => onChange({ assignee_type, assignee: next });
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Assign to"
        value={assignee_type}
        onChange={(kind) => onChange({ assignee_type: kind, assignee: "" })}
        data={[...kinds]}
      />
      {assignee_type === "agent" && (
        <AgentTypePicker value={assignee} onChange={name} error={error ?? null} autoFocus={autoFocus} />
      )}
      {assignee_type === "user" && (
        <TextInput
          label="Person"
          placeholder="Their name"
          value={assignee}
          onChange={({ currentTarget }) => name(currentTarget.value)}
          error={error}
        />
      )}
      {assignee_type !== "agent" && (
        <Text size="xs" c="dimmed">
          It stays outside the dispatch order until it is assigned to an agent type.
        </Text>
      )}
    </Stack>
  );
};
