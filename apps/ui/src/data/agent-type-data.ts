// Agent types: the personas that tasks can be assigned to, as they are and as they were (D-11). Read only.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AgentType, AgentTypeSummary, Client } from "@task-service/contract";
import { allPages } from "./all-pages.ts";

export const agentTypesKey = ["agent-types"] as const;

/** Every agent type of every organization, inactive ones included, by organization and slug. */
export const agentTypesQuery = (client: Client) =>
  queryOptions({
    queryKey: [...agentTypesKey, "all"],
    queryFn: ({ signal }) => allPages<AgentTypeSummary>((query) => client.listAgentTypes({ query, signal })),
  });

/** One agent type with its body. */
export const agentTypeQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...agentTypesKey, id],
    queryFn: ({ signal }) => client.getAgentType({ params: { id }, signal }),
  });

/** Every version an agent type had, newest first, page by page; they never change, so a new one asks for all. */
export const agentTypeVersionsQuery = (client: Client, { id, source }: AgentType) =>
  infiniteQueryOptions({
    queryKey: ["agent-type-versions", id, source.commit, source.blob_sha],
    queryFn: ({ pageParam, signal }) =>
      client.listAgentTypeVersions({
        params: { id },
        // They come with their bodies.
        query: { limit: 10, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
