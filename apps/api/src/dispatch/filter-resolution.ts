// What executors filter by: names become ids, and a filter that can never match is refused rather than waited for (D-19).
import { findAgentTypeIds } from "../agents/agent-type-queries.ts";
import { findOrganizationIds } from "../organizations/organization-queries.ts";
import type { Sql } from "../platform/database.ts";
import { RequestProblem } from "../platform/problems.ts";
import type { QueueFilter } from "./queue-head.ts";

export interface NamedFilter {
  organization: string | undefined;
  agentTypes: readonly string[] | undefined;
  /** Where the caller named them, for the problem document. */
  pointers: { organization: string; agentTypes: string };
}

/** Turns names into ids. Throws `unknown_filter`. What it found holds for 5 s, so a renamed slug may for so long. */
export type ResolveFilter = (filter: NamedFilter) => Promise<QueueFilter>;

const rememberedMs = 5000;
const maxRemembered = 1000;

const unknownFilter = (pointer: string, detail: string): RequestProblem =>
  new RequestProblem("unknown_filter", detail, { errors: [{ pointer, detail }] });

const lookUp = async (sql: Sql, { organization, agentTypes, pointers }: NamedFilter): Promise<QueueFilter> => {
  const [organizationId] = organization === undefined ? [] : await findOrganizationIds(sql, [organization]);
  if (organization !== undefined && organizationId === undefined) {
    throw unknownFilter(pointers.organization, "There is no such organization.");
  }
  if (agentTypes === undefined) return { organizationId, agentTypeIds: undefined };
  const found = await findAgentTypeIds(sql, agentTypes, organizationId);
  if (found.includes(undefined)) {
    const hint = organizationId === undefined ? " Send ids, or slugs together with an organization." : "";
    throw unknownFilter(pointers.agentTypes, `At least one agent type does not exist there.${hint}`);
  }
  return { organizationId, agentTypeIds: [...new Set(found.filter((id) => id !== undefined))].toSorted() };
};

export const createFilterResolution = (sql: Sql, nowMs: () => number = () => performance.now()): ResolveFilter => {
  const remembered = new Map<string, { filter: QueueFilter; untilMs: number }>();
  return async (named) => {
    if (named.organization === undefined && named.agentTypes === undefined) {
      return { organizationId: undefined, agentTypeIds: undefined };
    }
    const name = JSON.stringify([named.organization, named.agentTypes]);
    const known = remembered.get(name);
    if (known && nowMs() < known.untilMs) return known.filter;
    const filter = await lookUp(sql, named);
    remembered.delete(name);
    remembered.set(name, { filter, untilMs: nowMs() + rememberedMs });
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    return filter;
  };
};
