// Organizations: reading, changing and synchronizing them (D-10).

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Client, Organization, OrganizationCreate, OrganizationPatch } from "@task-service/contract";
import { agentTypesKey } from "./agent-type-data.ts";
import { allPages } from "./all-pages.ts";
import { useClient } from "./client-context.tsx";

export const organizationsKey = ["organizations"] as const;

/** One is under way while it started after the last one ended. */
export const isSyncing = ({ sync }: Organization): boolean =>
  sync.started_at !== null && (sync.finished_at === null || sync.started_at > sync.finished_at);

/** Every organization, by slug. */
export const organizationsQuery = (client: Client) =>
  queryOptions({
    queryKey: organizationsKey,
    queryFn: ({ signal }) => allPages<Organization>((query) => client.listOrganizations({ query, signal })),
    // A run that finds nothing new ends without an event.
    meta: { isUnderWay: (organizations) => (organizations as Organization[]).some(isSyncing) },
  });

const useRefresh = () => {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: organizationsKey }),
      queries.invalidateQueries({ queryKey: agentTypesKey }),
    ]);
};

export const useCreateOrganization = () => {
  const client = useClient();
  return useMutation({
    mutationFn: (body: OrganizationCreate) => client.createOrganization({ body }),
    onSuccess: useRefresh(),
  });
};

export const useUpdateOrganization = (organization: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: (body: OrganizationPatch) => client.updateOrganization({ params: { organization }, body }),
    onSuccess: useRefresh(),
  });
};

export const useDeleteOrganization = (organization: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: () => client.deleteOrganization({ params: { organization } }),
    onSuccess: useRefresh(),
  });
};

export const useSyncOrganization = (organization: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: () => client.syncOrganization({ params: { organization } }),
    onSettled: useRefresh(),
  });
};
