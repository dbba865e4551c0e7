// Which agent types some words find.
import type { AgentTypeSummary } from "@task-service/contract";

/** Each word is somewhere in what the list shows of it, in any case. */
export const isFound = (type: AgentTypeSummary, words: string): boolean => {
  const text = `${type.name} ${type.slug} ${type.description} ${type.organization_slug}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
