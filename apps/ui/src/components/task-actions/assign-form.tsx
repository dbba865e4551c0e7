// Finds who shall do some tasks: an agent type by name, slug or description, a person by name, or nobody.
import { Combobox, Group, Text, TextInput, useCombobox } from "@mantine/core";
import { IconUser, IconUserOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AgentTypeSummary } from "@task-service/contract";
import { useMemo, useState } from "react";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { AgentAvatar } from "../agent-avatar.tsx";
import classes from "./task-actions.module.css";
import type { Assignment } from "./task-actions.ts";

const nobody: Assignment = { assignee_type: null, assignee: null, agent_type: null };

const agentAssignment = ({ id, slug, name, is_active }: AgentTypeSummary): Assignment => ({
  assignee_type: "agent",
  assignee: id,
  agent_type: { id, slug, name, is_active },
});

const isMatch = (words: readonly string[], { slug, name, description, organization_slug }: AgentTypeSummary) => {
  const text = `${slug} ${name} ${organization_slug} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

export const AssignForm = ({ onChoose }: { onChoose: (to: Assignment) => void }) => {
  const { data: agentTypes } = useQuery(agentTypesQuery(useClient()));
  const [search, setSearch] = useState("");
  const store = useCombobox({ opened: true });
  const name = search.trim();
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return agentTypes?.filter((type) => type.is_active && isMatch(words, type)) ?? [];
  }, [agentTypes, search]);

  const choose = (value: string) => {
    if (value === "nobody") return onChoose(nobody);
    if (value === "person") return onChoose({ assignee_type: "user", assignee: name, agent_type: null });
    const type = found.find(({ id }) => id === value);
    if (type) onChoose(agentAssignment(type));
  };

  return (
    <div className={classes.assign}>
      <Combobox store={store} onOptionSubmit={choose}>
        <Combobox.EventsTarget>
          <TextInput
            label="Assign to"
            placeholder="An agent type, or a person’s name"
            data-autofocus
            value={search}
            onChange={({ currentTarget }) => {
              setSearch(currentTarget.value);
              store.updateSelectedOptionIndex();
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options ?? ""} aria-label="Assign to">
          {found.map((type) => (
            <Combobox.Option key={type.id} value={type.id}>
              <Group gap="sm" wrap="nowrap" miw={0}>
                <AgentAvatar slug={type.slug} px={24} />
                <div className={classes.words}>
                  <Text truncate fw={500}>
                    {type.name}
                  </Text>
                  <Text truncate size="xs" c="dimmed">
                    {type.organization_slug} · {type.description}
                  </Text>
                </div>
              </Group>
            </Combobox.Option>
          ))}
          {name && (
            <Combobox.Option value="person">
              <Group gap="sm" wrap="nowrap">
                <IconUser size={24} stroke={1.5} aria-hidden />
                <span>
                  The person “<bdi>{name}</bdi>”
                </span>
              </Group>
            </Combobox.Option>
          )}
          {!name && (
            <Combobox.Option value="nobody">
              <Group gap="sm" wrap="nowrap">
                <IconUserOff size={24} stroke={1.5} aria-hidden />
                Nobody
              </Group>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox>
    </div>
  );
};
