// Which agent types wait in vain: tasks are queued for them, and no executor stands ready.
import type { Executor, Stats } from "@task-service/contract";

type AgentTypeStats = Stats["by_agent_type"][number];

export interface Unserved extends AgentTypeStats {
  /** Executors that serve it, all of them busy or quiet. */
  servingCount: number;
}

const shownUnserved = 5;

const doesServe = ({ organization, agent_types }: Executor, type: AgentTypeStats): boolean =>
  (!organization || organization.slug === type.organization_slug) &&
  (!agent_types || agent_types.some(({ id }) => id === type.agent_type_id));

/** The five with the most queued, the most first. */
export const unservedTypes = (types: readonly AgentTypeStats[], executors: readonly Executor[]): Unserved[] =>
  types
    .filter(({ queued }) => queued > 0)
    .map((type) => ({ type, serving: executors.filter((executor) => doesServe(executor, type)) }))
    .filter(({ serving }) => !serving.some(({ is_waiting }) => is_waiting))
    .map(({ type, serving }) => ({ ...type, servingCount: serving.length }))
    .toSorted((a, b) => b.queued - a.queued)
    .slice(0, shownUnserved);
