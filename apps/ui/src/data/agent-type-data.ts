// Agent types: the personas that tasks can be assigned to (D-11). Read only.

import { queryOptions } from "@tanstack/react-query";
import type { AgentTypeSummary, Client } from "@task-service/contract";
import { allPages } from "./all-pages.ts";
import { refetchMs } from "./query-client.ts";

export const agentTypesKey = ["agent-types"] as const;

/** Every agent type of every organization, inactive ones included, by organization and slug. */
export const agentTypesQuery = (client: Client) =>
  queryOptions({
    queryKey: [...agentTypesKey, "all"],
    queryFn: ({ signal }) => allPages<AgentTypeSummary>((query) => client.listAgentTypes({ query, signal })),
    refetchInterval: refetchMs,
  });

/** One agent type with its body. */
export const agentTypeQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...agentTypesKey, id],
    queryFn: ({ signal }) => client.getAgentType({ params: { id }, signal }),
    refetchInterval: refetchMs,
  });
