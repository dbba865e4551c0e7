// The labels in use lately, to suggest while somebody writes one.

import { queryOptions } from "@tanstack/react-query";
import { type Client, maxPageSize } from "@task-service/contract";

const maxSuggestions = 50;

/** Those of the newest tasks, the most used first. */
export const recentLabelsQuery = (client: Client) =>
  queryOptions({
    queryKey: ["recent-labels"],
    queryFn: async ({ signal }) => {
      const { items } = await client.listTasks({ query: { limit: maxPageSize }, signal });
      const uses = new Map<string, number>();
      for (const label of items.flatMap(({ labels }) => labels)) uses.set(label, (uses.get(label) ?? 0) + 1);
      return [...uses]
        .toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
        .slice(0, maxSuggestions)
        .map(([label]) => label);
    },
    staleTime: 300_000,
    refetchInterval: false,
  });
