// What is sought among the agent types, and which of them some words find.
import type { AgentTypeSummary } from "@task-service/contract";

export interface AgentsSearch {
  q?: string;
  /** Slug; left out for every organization. */
  organization?: string;
}

/** Each word is somewhere in what the list shows of it, in any case. */
export const isFound = (type: AgentTypeSummary, words: string): boolean => {
  const text = `${type.name} ${type.slug} ${type.description} ${type.organization_slug}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
