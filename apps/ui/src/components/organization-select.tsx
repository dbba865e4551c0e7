// Narrows a screen to one organization, or shows every one again.
import { Select } from "@mantine/core";
import type { Organization } from "@task-service/contract";

interface OrganizationSelectProps {
  organizations: readonly Organization[];
  /** Slug; empty for every organization. */
  value: string;
  onChange: (slug: string) => void;
}

export const OrganizationSelect = ({ organizations, value, onChange }: OrganizationSelectProps) => (
  <Select
    aria-label="Organization"
    data={[
      { value: "", label: "Every organization" },
      ...organizations.map(({ slug, name }) => ({ value: slug, label: name })),
    ]}
    value={value}
    onChange={(slug) => onChange(slug ?? "")}
    allowDeselect={false}
    comboboxProps={{ withinPortal: false }}
  />
);
