// What people call the agent types and organizations that the numbers know by their slugs.
import { useQuery } from "@tanstack/react-query";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";

export interface Names {
  /** Of "acme/developer": "Developer of Acme", or "Developer" where there is only one organization. */
  agentType: (path: string) => string;
  /** Of "acme": "Acme". */
  organization: (slug: string) => string;
}

/** What is gone, or not known yet, keeps its slug. */
export const useNames = (): Names => {
  const client = useClient();
  const { data: types = [] } = useQuery(agentTypesQuery(client));
  const { data: organizations = [] } = useQuery(organizationsQuery(client));
  const organization = (slug: string) => organizations.find((one) => one.slug === slug)?.name ?? slug;
  return {
    organization,
    agentType: (path) => {
      const type = types.find(({ organization_slug, slug }) => `${organization_slug}/${slug}` === path);
      if (!type) return path;
      return organizations.length === 1 ? type.name : `${type.name} of ${organization(type.organization_slug)}`;
    },
  };
};
