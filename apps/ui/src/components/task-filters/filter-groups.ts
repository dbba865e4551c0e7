// The filters a person can choose, in groups: what each offers, what is chosen, and in which words.
import { type AgentTypeSummary, maxPriority, minPriority, type Organization } from "@task-service/contract";
import { type PresetName, presets } from "../../lib/priorities.ts";
import { stateFilters, type TaskFilterValues, withoutFilters } from "../../lib/task-filters.ts";

export const groupNames = [
  "State",
  "Agent type",
  "Person",
  "Assigned to",
  "Organization",
  "Priority",
  "Label",
  "Created by",
  "Git",
] as const;
export type GroupName = (typeof groupNames)[number];

export interface FilterOption {
  /** Unique in its group. */
  key: string;
  label: string;
  detail?: string;
  isOn: boolean;
  /** The filters once it is chosen, or given up if it is on. */
  toggled: TaskFilterValues;
}

export interface FilterGroup {
  name: GroupName;
  /** What it offers to somebody who has typed this. */
  options: (search: string) => FilterOption[];
  /** What is chosen, in words; empty if nothing is. */
  chosen: readonly string[];
  cleared: TaskFilterValues;
}

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

const isIn = (words: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.toLowerCase().includes(word));

const searched = (options: readonly FilterOption[], search: string) =>
  options.filter(({ label, detail = "" }) => isIn(`${label} ${detail}`, search));

type ListField = "organization" | "assignee" | "label";
type WordField = Exclude<keyof TaskFilterValues, ListField>;

const withWord = <F extends WordField>(
  values: TaskFilterValues,
  field: F,
  value: TaskFilterValues[F],
): TaskFilterValues => (values[field] === value ? withoutFilters(values, field) : { ...values, [field]: value });

const withList = (values: TaskFilterValues, field: ListField, list: readonly string[]): TaskFilterValues =>
  list.length === 0 ? withoutFilters(values, field) : { ...values, [field]: list };

const withItem = (values: TaskFilterValues, field: ListField, item: string): TaskFilterValues => {
  const list = values[field] ?? [];
  return withList(values, field, list.includes(item) ? list.filter((one) => one !== item) : [...list, item]);
};

/** A choice of one word out of a few. */
const wordGroup = <F extends "git_state" | "assignee_type">(
  name: GroupName,
  values: TaskFilterValues,
  field: F,
  words: Readonly<Record<NonNullable<TaskFilterValues[F]>, string>>,
): FilterGroup => {
  const chosen = values[field];
  const all = Object.entries<string>(words).map(([key, label]) => ({
    key,
    label,
    isOn: key === chosen,
    toggled: withWord(values, field, key as TaskFilterValues[F]),
  }));
  return {
    name,
    options: (search) => searched(all, search),
    chosen: chosen ? [words[chosen]] : [],
    cleared: withoutFilters(values, field),
  };
};

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

/** Items that a person types, those already chosen first. */
const typedGroup = (
  name: GroupName,
  values: TaskFilterValues,
  field: ListField,
  chosen: readonly string[],
): FilterGroup => {
  const optionOf = (item: string) => ({
    key: item,
    label: item,
    isOn: chosen.includes(item),
    toggled: withItem(values, field, item),
  });
  return {
    name,
    options: (search) => {
      const typed = search.trim();
      return [
        ...searched(chosen.map(optionOf), search),
        ...(typed && !chosen.includes(typed) ? [optionOf(typed)] : []),
      ];
    },
    chosen,
    cleared: withList(
      values,
      field,
      (values[field] ?? []).filter((item) => !chosen.includes(item)),
    ),
  };
};

const agentTypeKey = ({ organization_slug, slug }: AgentTypeSummary) => `${organization_slug}/${slug}`;

const assigneeGroups = (values: TaskFilterValues, agentTypes: readonly AgentTypeSummary[]): FilterGroup[] => {
  const assignees = values.assignee ?? [];
  const typeOf = (assignee: string) =>
    agentTypes.find((type) => agentTypeKey(type) === assignee || type.id === assignee);
  const agents = assignees.filter((assignee) => assignee.includes("/") || typeOf(assignee));
  const all = agentTypes.map((type) => {
    const known = agents.find((assignee) => assignee === agentTypeKey(type) || assignee === type.id);
    return {
      key: type.id,
      label: type.name,
      detail: type.is_active ? type.organization_slug : `${type.organization_slug} · inactive`,
      isOn: known !== undefined,
      toggled: withItem(values, "assignee", known ?? agentTypeKey(type)),
    };
  });
  return [
    {
      name: "Agent type",
      options: (search) => searched(all, search),
      chosen: agents.map((assignee) => typeOf(assignee)?.name ?? assignee),
      cleared: withList(
        values,
        "assignee",
        assignees.filter((assignee) => !agents.includes(assignee)),
      ),
    },
    typedGroup(
      "Person",
      values,
      "assignee",
      assignees.filter((assignee) => !agents.includes(assignee)),
    ),
  ];
};

const organizationGroup = (values: TaskFilterValues, organizations: readonly Organization[]): FilterGroup => {
  const chosen = values.organization ?? [];
  const all = organizations.map(({ id, slug, name }) => ({
    key: id,
    label: name,
    detail: slug,
    isOn: chosen.includes(slug) || chosen.includes(id),
    toggled: withItem(values, "organization", chosen.includes(id) ? id : slug),
  }));
  return {
    name: "Organization",
    options: (search) => searched(all, search),
    chosen: chosen.map((one) => organizations.find(({ id, slug }) => slug === one || id === one)?.name ?? one),
    cleared: withoutFilters(values, "organization"),
  };
};

interface PriorityRange {
  min: number | undefined;
  max: number | undefined;
}

const rangeWords = ({ min, max }: PriorityRange): string => {
  if (min === max) return `${min}`;
  if (max === undefined) return `${min} or more`;
  return min === undefined ? `${max} or less` : `${min} to ${max}`;
};

const bandRange = (name: PresetName): PriorityRange => {
  const at = presets.findIndex((preset) => preset.name === name);
  const above = presets[at - 1];
  return { min: name === "Low" ? undefined : presets[at]?.priority, max: above && above.priority - 1 };
};

const priorityGroup = (values: TaskFilterValues): FilterGroup => {
  const { priority_min: min, priority_max: max } = values;
  const cleared = withoutFilters(values, "priority_min", "priority_max");
  const optionOf = (label: string, range: PriorityRange): FilterOption => {
    const isOn = min === range.min && max === range.max;
    const chosen = {
      ...cleared,
      ...(range.min !== undefined && { priority_min: range.min }),
      ...(range.max !== undefined && { priority_max: range.max }),
    };
    return { key: rangeWords(range), label, detail: rangeWords(range), isOn, toggled: isOn ? cleared : chosen };
  };
  const bands = presets.map(({ name }) => optionOf(name, bandRange(name)));
  const typed = (search: string): FilterOption[] => {
    const number = search.trim() ? Number(search) : Number.NaN;
    if (!Number.isInteger(number) || number < minPriority || number > maxPriority) return [];
    return [
      { min: number, max: undefined },
      { min: undefined, max: number },
      { min: number, max: number },
    ].map((range) => ({ ...optionOf(rangeWords(range), range), detail: "" }));
  };
  const isChosen = min !== undefined || max !== undefined;
  const band = isChosen && bands.find(({ isOn }) => isOn);
  return {
    name: "Priority",
    options: (search) => {
      const own = typed(search);
      return own.length > 0 ? own : searched(bands, search);
    },
    chosen: isChosen ? [band ? band.label : rangeWords({ min, max })] : [],
    cleared,
  };
};

/** Every group, in the order a menu shows them. */
export const filterGroups = (values: TaskFilterValues, { agentTypes, organizations }: FilterChoices): FilterGroup[] => {
  const [agents, people] = assigneeGroups(values, agentTypes) as [FilterGroup, FilterGroup];
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
