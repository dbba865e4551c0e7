// The agent types of every organization: the personas that tasks can be assigned to.
import { Button } from "@mantine/core";
import { IconBuildingPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { OrganizationAgents } from "./organization-agents.tsx";

const AgentsPage = () => {
  const client = useClient();
  const organizations = useQuery(organizationsQuery(client));
  const agentTypes = useQuery(agentTypesQuery(client));
  const activeCount = agentTypes.data?.filter(({ is_active }) => is_active).length;
  return (
    <>
      <PageHeader title="Agents" numbers={activeCount !== undefined && `${activeCount} active agent types`} />
      <QueryView query={organizations} name="the organizations" skeleton={<ScreenSkeleton />}>
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
            <QueryView query={agentTypes} name="the agent types" skeleton={<ScreenSkeleton />}>
              {(types) =>
                all.map((organization) => (
                  <OrganizationAgents
                    key={organization.id}
                    organization={organization}
                    agentTypes={types.filter(({ organization_id }) => organization_id === organization.id)}
                  />
                ))
              }
            </QueryView>
          )
        }
      </QueryView>
    </>
  );
};

export default AgentsPage;
