// Chooses an agent type: by organization, found by name, slug or description.
import {
  type ComboboxItem,
  type ComboboxParsedItemGroup,
  Group,
  type OptionsFilter,
  Select,
  Text,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AgentTypeSummary } from "@task-service/contract";
import { useMemo } from "react";
import { AgentAvatar } from "../../components/agent-avatar.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";

interface AgentTypePickerProps {
  value: string;
  onChange: (id: string) => void;
  error?: string | null;
  autoFocus?: boolean;
}

const groupsOf = (types: readonly AgentTypeSummary[]) =>
  Object.entries(Object.groupBy(types, ({ organization_slug }) => organization_slug)).map(([group, members = []]) => ({
    group,
    items: members.map(({ id, name }) => ({ value: id, label: name })),
  }));

const isMatch = (words: readonly string[], { slug, name, description }: AgentTypeSummary) => {
  const text = `${slug} ${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

export const AgentTypePicker = ({ value, onChange, error, autoFocus = false }: AgentTypePickerProps) => {
  const { data: agentTypes } = useQuery(agentTypesQuery(useClient()));
  // An inactive type cannot be chosen, but the one a task has already is shown by its name.
  const offered = useMemo(
    () => agentTypes?.filter(({ is_active, id }) => is_active || id === value) ?? [],
    [agentTypes, value],
  );
  const byId = useMemo(() => new Map(offered.map((type) => [type.id, type])), [offered]);
  const data = useMemo(() => groupsOf(offered), [offered]);

  const filter: OptionsFilter = ({ options, search }) => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const keep = ({ value: id }: ComboboxItem) => {
      const type = byId.get(id);
      return type !== undefined && isMatch(words, type);
    };
    return (options as ComboboxParsedItemGroup[])
      .map((group) => ({ ...group, items: group.items.filter(keep) }))
      .filter(({ items }) => items.length > 0);
  };

  return (
    <Select
      label="Agent type"
      placeholder="Choose who does it"
      searchable
      openOnFocus={false}
      required
      withAsterisk={false}
      // The list itself scrolls: it is the field's own, so keys that move in it need no focus there.
      withScrollArea={false}
      styles={{ options: { maxHeight: 340, overflowY: "auto" } }}
      nothingFoundMessage="No agent type matches."
      data={data}
      filter={filter}
      value={value || null}
      onChange={(id) => id && onChange(id)}
      error={error}
      allowDeselect={false}
      // A list in a portal counts as outside of the popover that holds this field, and of every landmark.
      comboboxProps={{ withinPortal: false }}
      data-autofocus={autoFocus || undefined}
      renderOption={({ option }) => {
        const type = byId.get(option.value);
        return (
          <Group wrap="nowrap" gap="sm" miw={0}>
            <AgentAvatar slug={type?.slug ?? ""} px={28} />
            <div style={{ minWidth: 0 }}>
              <Text fw={500}>{option.label}</Text>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {type?.description}
              </Text>
            </div>
          </Group>
        );
      }}
    />
  );
};
