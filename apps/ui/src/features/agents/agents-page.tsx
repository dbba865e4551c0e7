// The agent types of every organization: the personas that tasks can be assigned to. What is searched for is in the URL.
import { Button } from "@mantine/core";
import { IconBuildingPlus, IconZoomQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { isFound } from "./agent-search.ts";
import classes from "./agents-page.module.css";
import { OrganizationAgents } from "./organization-agents.tsx";

const AgentsPage = ({ words }: { words: string }) => {
  const client = useClient();
  const navigate = useNavigate();
  const search = (next: string) =>
    navigate({ to: "/agents", search: next ? { q: next } : {}, replace: true, resetScroll: false });
  const organizations = useQuery(organizationsQuery(client));
  const agentTypes = useQuery(agentTypesQuery(client));
  const activeCount = agentTypes.data?.filter(({ is_active }) => is_active).length;
  return (
    <>
      <PageHeader title="Agents" numbers={activeCount !== undefined && `${activeCount} active agent types`} />
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
                const found = types.filter((type) => isFound(type, words));
                return (
                  <>
                    <div className={classes.search}>
                      <SearchField label="Search agents" placeholder="Search agents" value={words} onChange={search} />
                    </div>
                    {words && found.length === 0 && (
                      <EmptyNotice
                        icon={<IconZoomQuestion />}
                        title="No agent type is found by these words"
                        action={<Button onClick={() => search("")}>Clear the search</Button>}
                      >
                        Names, slugs, descriptions and organizations are searched.
                      </EmptyNotice>
                    )}
                    {all.map((organization) => {
                      const agentTypes = found.filter(({ organization_id }) => organization_id === organization.id);
                      if (words && agentTypes.length === 0) return null;
                      return (
                        <OrganizationAgents key={organization.id} organization={organization} agentTypes={agentTypes} />
                      );
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
