// All filters a person can choose, in groups: those of a few known words here, the others beside.
import type { AgentTypeSummary, Organization } from "@task-service/contract";
import { stateFilters, type TaskFilterValues, withoutFilters } from "../../lib/task-filters.ts";
import { assigneeGroups, organizationGroup } from "./assignee-filters.ts";
import { type FilterGroup, type FilterOption, searched, typedGroup, withWord, wordGroup } from "./filter-group.ts";
import { priorityGroup } from "./priority-filter.ts";

export interface FilterChoices {
  agentTypes: readonly AgentTypeSummary[];
  organizations: readonly Organization[];
}

const stateWords = {
  queued: "Queued",
  running: "Running",
  ended: "Worker finished",
  dispatched: "Dispatched",
} as const;
const gitWords = { open: "Open", closed: "Closed", merged: "Merged", unreadable: "Not readable" } as const;
const assigneeTypeWords = { agent: "Agents", user: "People" } as const;

const stateGroup = (values: TaskFilterValues): FilterGroup => {
  const { state, needs_attention } = values;
  const all: FilterOption[] = [
    ...stateFilters.map((key) => ({
      key,
      label: stateWords[key],
      isOn: key === state,
      toggled: withWord(values, "state", key),
    })),
    {
      key: "needs_attention",
      label: "Needs attention",
      isOn: needs_attention === true,
      toggled: withWord(values, "needs_attention", true),
    },
  ];
  return {
    name: "State",
    options: (search) => searched(all, search),
    chosen: all.filter(({ isOn }) => isOn).map(({ label }) => label),
    cleared: withoutFilters(values, "state", "needs_attention"),
  };
};

const creatorGroup = (values: TaskFilterValues): FilterGroup => {
  const isOn = values.created_by === "me";
  const all = [{ key: "me", label: "Me", isOn, toggled: withWord(values, "created_by", "me") }];
  return {
    name: "Created by",
    options: (search) => searched(all, search),
    chosen: isOn ? ["me"] : [],
    cleared: withoutFilters(values, "created_by"),
  };
};

/** Every group, in the order a menu shows them. */
export const filterGroups = (values: TaskFilterValues, { agentTypes, organizations }: FilterChoices): FilterGroup[] => {
  const [agents, people] = assigneeGroups(values, agentTypes);
  return [
    stateGroup(values),
    agents,
    people,
    wordGroup("Assigned to", values, "assignee_type", assigneeTypeWords),
    organizationGroup(values, organizations),
    priorityGroup(values),
    typedGroup("Label", values, "label", values.label ?? []),
    creatorGroup(values),
    wordGroup("Git", values, "git_state", gitWords),
  ];
};
