// Agent types as a field offers them: the active ones, by organization.
import type { AgentTypeSummary } from "@task-service/contract";

/** `<organization>/<slug>`, as addresses and filters name an agent type. */
export const agentTypePath = ({ organization_slug, slug }: AgentTypeSummary): string => `${organization_slug}/${slug}`;

export const agentTypeOptions = (types: readonly AgentTypeSummary[]) =>
  Object.entries(
    Object.groupBy(
      types.filter(({ is_active }) => is_active),
      ({ organization_slug }) => organization_slug,
    ),
  ).map(([group, members = []]) => ({
    group,
    items: members.map((type) => ({ value: agentTypePath(type), label: type.name })),
  }));
