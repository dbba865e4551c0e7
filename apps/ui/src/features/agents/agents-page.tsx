// The agent types of every organization or one: the personas that tasks can be assigned to. What is sought is in the URL.
import { Button } from "@mantine/core";
import { IconBuildingPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { joinQueries } from "../../components/joined-queries.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { countOf } from "../../lib/number-words.ts";
import type { AgentsSearch } from "./agent-search.ts";
import { FoundAgents } from "./found-agents.tsx";

const AgentsPage = ({ q: words = "", organization = "" }: AgentsSearch) => {
  const client = useClient();
  const navigate = useNavigate();
  const search = (change: AgentsSearch) => {
    const next = { q: words, organization, ...change };
    return navigate({
      to: "/agents",
      search: { ...(next.q && { q: next.q }), ...(next.organization && { organization: next.organization }) },
      replace: true,
      resetScroll: false,
    });
  };
  const organizations = useQuery(organizationsQuery(client));
  const agentTypes = useQuery(agentTypesQuery(client));
  const isWanted = (slug: string) => !organization || slug === organization;
  const active = agentTypes.data?.filter((type) => type.is_active && isWanted(type.organization_slug));
  const chosen = organizations.data?.find(({ slug }) => slug === organization);
  return (
    <>
      <PageHeader
        title={chosen ? `Agents of ${chosen.name}` : "Agents"}
        numbers={active && countOf(active.length, "active agent type")}
      />
      <QueryView
        query={joinQueries({ organizations, agentTypes })}
        name="the agent types"
        skeleton={<ScreenSkeleton hasTitle />}
      >
        {({ organizations: all, agentTypes: types }) =>
          all.length === 0 ? (
            <EmptyNotice
              icon={<IconBuildingPlus />}
              title="No organizations yet"
              action={
                <Button renderRoot={(props) => <Link to="/organizations" search={{ create: true }} {...props} />}>
                  Create an organization
                </Button>
              }
            >
              Agent types come from the git repository of an organization.
            </EmptyNotice>
          ) : (
            <FoundAgents
              organizations={all}
              agentTypes={types}
              words={words}
              organization={organization}
              onSearch={search}
            />
          )
        }
      </QueryView>
    </>
  );
};

export default AgentsPage;
