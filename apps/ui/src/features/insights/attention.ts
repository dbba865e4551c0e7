// Which agent types wait in vain: tasks are queued for them, and no executor takes any.
import type { Executor, Stats } from "@task-service/contract";

type AgentTypeStats = Stats["by_agent_type"][number];

export interface Unserved extends AgentTypeStats {
  /** Executors that said they serve it, and neither wait for a task nor work on one. */
  silentCount: number;
}

const shownUnserved = 5;

const doesServe = ({ organization, agent_types }: Executor, type: AgentTypeStats): boolean =>
  (!organization || organization.slug === type.organization_slug) &&
  (!agent_types || agent_types.some(({ id }) => id === type.agent_type_id));

/** A busy one takes its next task once it is done. */
const doesWork = ({ is_waiting, live_dispatches }: Executor): boolean => is_waiting || live_dispatches > 0;

/** The five with the most queued, the most first. */
export const unservedTypes = (types: readonly AgentTypeStats[], executors: readonly Executor[]): Unserved[] =>
  types
    .filter(({ queued }) => queued > 0)
    .map((type) => ({ type, serving: executors.filter((executor) => doesServe(executor, type)) }))
    .filter(({ serving }) => !serving.some(doesWork))
    .map(({ type, serving }) => ({ ...type, silentCount: serving.length }))
    .toSorted((a, b) => b.queued - a.queued)
    .slice(0, shownUnserved);
