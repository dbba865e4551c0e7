// The agent types of every organization or one: the personas that tasks can be assigned to. What is sought is in the URL.
import { Button } from "@mantine/core";
import { IconBuildingPlus, IconFilterOff, IconZoomQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { OrganizationSelect } from "../../components/organization-select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { countOf } from "../../lib/number-words.ts";
import { isFound } from "./agent-search.ts";
import classes from "./agents-page.module.css";
import { OrganizationAgents } from "./organization-agents.tsx";

export interface AgentsSearch {
  q?: string;
  /** Slug; left out for every organization. */
  organization?: string;
}

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
      <QueryView query={organizations} name="the organizations" skeleton={<ScreenSkeleton hasTitle />}>
        {(all) =>
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
            <QueryView query={agentTypes} name="the agent types" skeleton={<ScreenSkeleton hasTitle />}>
              {(types) => {
                const found = types.filter((type) => isWanted(type.organization_slug) && isFound(type, words));
                return (
                  <>
                    <div className={classes.search}>
                      <SearchField
                        label="Search agents"
                        placeholder="Search agents"
                        value={words}
                        onChange={(q) => search({ q })}
                      />
                      {(all.length > 1 || organization) && (
                        <OrganizationSelect
                          organizations={all}
                          value={organization}
                          onChange={(slug) => search({ organization: slug })}
                        />
                      )}
                    </div>
                    {organization && !chosen && (
                      <EmptyNotice
                        icon={<IconFilterOff />}
                        title="There is no such organization"
                        action={<Button onClick={() => search({ organization: "" })}>Show every organization</Button>}
                      >
                        It may have been deleted, or has another slug now.
                      </EmptyNotice>
                    )}
                    {words && (chosen || !organization) && found.length === 0 && (
                      <EmptyNotice
                        icon={<IconZoomQuestion />}
                        title="No agent type is found by these words"
                        action={<Button onClick={() => search({ q: "" })}>Clear the search</Button>}
                      >
                        Names, slugs, descriptions and organizations are searched.
                      </EmptyNotice>
                    )}
                    {all.map((one) => {
                      const ofOne = found.filter(({ organization_id }) => organization_id === one.id);
                      if (!isWanted(one.slug) || (words && ofOne.length === 0)) return null;
                      return <OrganizationAgents key={one.id} organization={one} agentTypes={ofOne} />;
                    })}
                  </>
                );
              }}
            </QueryView>
          )
        }
      </QueryView>
    </>
  );
};

export default AgentsPage;
