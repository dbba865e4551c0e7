// The agent types that some words find in one organization or all, and what to do where there are none.
import { Button } from "@mantine/core";
import { IconFilterOff, IconZoomQuestion } from "@tabler/icons-react";
import type { AgentTypeSummary, Organization } from "@task-service/contract";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { OrganizationSelect } from "../../components/organization-select.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { type AgentsSearch, isFound } from "./agent-search.ts";
import classes from "./agents-page.module.css";
import { OrganizationAgents } from "./organization-agents.tsx";

interface FoundAgentsProps {
  organizations: readonly Organization[];
  agentTypes: readonly AgentTypeSummary[];
  words: string;
  /** Slug; empty for every organization. */
  organization: string;
  onSearch: (change: AgentsSearch) => void;
}

export const FoundAgents = ({ organizations, agentTypes, words, organization, onSearch }: FoundAgentsProps) => {
  const shown = organizations.filter(({ slug }) => !organization || slug === organization);
  const found = shown.map((one) => ({
    organization: one,
    agentTypes: agentTypes.filter((type) => type.organization_id === one.id && isFound(type, words)),
  }));
  const isNothing = words !== "" && shown.length > 0 && found.every((one) => one.agentTypes.length === 0);
  return (
    <>
      <div className={classes.search}>
        <SearchField
          label="Search agents"
          placeholder="Search agents"
          value={words}
          onChange={(q) => onSearch({ q })}
        />
        {(organizations.length > 1 || organization) && (
          <OrganizationSelect
            organizations={organizations}
            value={organization}
            onChange={(slug) => onSearch({ organization: slug })}
          />
        )}
      </div>
      {shown.length === 0 && (
        <EmptyNotice
          icon={<IconFilterOff />}
          title="There is no such organization"
          action={<Button onClick={() => onSearch({ organization: "" })}>Show every organization</Button>}
        >
          It may have been deleted, or has another slug now.
        </EmptyNotice>
      )}
      {isNothing && (
        <EmptyNotice
          icon={<IconZoomQuestion />}
          title="No agent type is found by these words"
          action={<Button onClick={() => onSearch({ q: "" })}>Clear the search</Button>}
        >
          Names, slugs, descriptions and organizations are searched.
        </EmptyNotice>
      )}
      {found.map(
        (one) =>
          (words === "" || one.agentTypes.length > 0) && <OrganizationAgents key={one.organization.id} {...one} />,
      )}
    </>
  );
};
