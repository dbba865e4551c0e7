// Filters by who shall do a task, and where: agent types, people, organizations.
import type { AgentTypeSummary, Organization } from "@task-service/contract";
import { type TaskFilterValues, withoutFilters } from "../../lib/task-filters.ts";
import { type FilterGroup, searched, typedGroup, withItem, withList } from "./filter-group.ts";

const agentTypeKey = ({ organization_slug, slug }: AgentTypeSummary) => `${organization_slug}/${slug}`;

/** Agent types, and people. */
export const assigneeGroups = (
  values: TaskFilterValues,
  agentTypes: readonly AgentTypeSummary[],
): [agents: FilterGroup, people: FilterGroup] => {
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

export const organizationGroup = (values: TaskFilterValues, organizations: readonly Organization[]): FilterGroup => {
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
