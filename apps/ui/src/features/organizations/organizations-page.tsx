// The organizations: each brings its own agent types from its own repository.
import { Button, Table, VisuallyHidden } from "@mantine/core";
import { IconBuildingPlus, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { maxStatsItems, type Organization } from "@task-service/contract";
import { useState } from "react";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { statsQuery } from "../../data/stats-data.ts";
import { DeleteOrganizationDialog } from "./delete-organization-dialog.tsx";
import { OrganizationDialog } from "./organization-dialog.tsx";
import { OrganizationRow } from "./organization-row.tsx";

const OrganizationsPage = ({ isCreating }: { isCreating: boolean }) => {
  const navigate = useNavigate();
  const client = useClient();
  const organizations = useQuery(organizationsQuery(client));
  const { data: stats } = useQuery(statsQuery(client));
  const [edited, setEdited] = useState<Organization | null>(null);
  const [deleted, setDeleted] = useState<Organization | null>(null);
  const setCreating = (create: boolean) => navigate({ to: "/organizations", search: create ? { create } : {} });
  /** The numbers name those with the most tasks; if they have room for more, the others have none. */
  const tasksOf = ({ id }: Organization) => {
    const counted = stats?.by_organization.find(({ organization_id }) => organization_id === id);
    return counted ?? (stats && stats.by_organization.length < maxStatsItems ? { queued: 0, live: 0 } : undefined);
  };
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New organization
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Organizations"
        numbers={organizations.data && `${organizations.data.length} in this service`}
        action={createButton}
      />
      <QueryView query={organizations} name="the organizations" skeleton={<ScreenSkeleton hasTitle />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyNotice icon={<IconBuildingPlus />} title="No organizations yet" action={createButton}>
              An organization brings its agent types from a git repository.
            </EmptyNotice>
          ) : (
            <Table.ScrollContainer minWidth={340} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th visibleFrom="sm">Agent types</Table.Th>
                    <Table.Th>Queued</Table.Th>
                    <Table.Th visibleFrom="sm">Running</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th visibleFrom="sm">Agents repository</Table.Th>
                    <Table.Th>
                      <VisuallyHidden>Actions</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {all.map((organization) => (
                    <OrganizationRow
                      key={organization.id}
                      organization={organization}
                      tasks={tasksOf(organization)}
                      onEdit={() => setEdited(organization)}
                      onDelete={() => setDeleted(organization)}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryView>
      {isCreating && <OrganizationDialog onClose={() => setCreating(false)} />}
      {edited && <OrganizationDialog organization={edited} onClose={() => setEdited(null)} />}
      {deleted && <DeleteOrganizationDialog organization={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
};

export default OrganizationsPage;
