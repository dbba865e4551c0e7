// Chooses the organization of a task that no agent type brings one for.
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";

interface OrganizationPickerProps {
  value: string;
  onChange: (slug: string) => void;
  error?: string | null;
}

export const OrganizationPicker = ({ value, onChange, error }: OrganizationPickerProps) => {
  const { data: organizations } = useQuery(organizationsQuery(useClient()));
  const only = organizations?.length === 1 ? organizations[0]?.slug : undefined;
  useEffect(() => {
    if (only && !value) onChange(only);
  }, [only, value, onChange]);
  return (
    <Select
      label="Organization"
      placeholder="Choose an organization"
      searchable
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      data={organizations?.map(({ slug, name }) => ({ value: slug, label: name })) ?? []}
      value={value || null}
      onChange={(slug) => slug && onChange(slug)}
      error={error}
    />
  );
};
