// Creates an organization, or changes one.
import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { type Organization, slugPattern } from "@task-service/contract";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { useCreateOrganization, useUpdateOrganization } from "../../data/organization-data.ts";
import { showNotice } from "../../lib/notices.ts";
import { fieldProblems } from "../../lib/problem-words.ts";
import { useReturnedFocus } from "../../lib/returned-focus.ts";

interface OrganizationDialogProps {
  /** The one to change; a new one without it. */
  organization?: Organization;
  onClose: () => void;
}

const fields = ["slug", "name", "agents_repo_url"] as const;
const isSlug = new RegExp(slugPattern);

export const OrganizationDialog = ({ organization, onClose }: OrganizationDialogProps) => {
  useReturnedFocus();
  const create = useCreateOrganization();
  const update = useUpdateOrganization(organization?.id ?? "");
  const save = organization ? update : create;
  const { data: me } = useQuery(meQuery(useClient()));
  const form = useForm({
    initialValues: {
      slug: organization?.slug ?? "",
      name: organization?.name ?? "",
      agents_repo_url: organization?.agents_repo_url ?? "",
    },
    validate: {
      slug: (slug) => (isSlug.test(slug) ? null : "Letters and digits, with single - _ . between them."),
    },
  });
  const slug = form.values.slug || "<slug>";

  const submit = form.onSubmit((values) =>
    save.mutate(
      {
        slug: values.slug,
        name: values.name.trim() || values.slug,
        agents_repo_url: values.agents_repo_url.trim() || null,
      },
      {
        onSuccess: ({ name }) => {
          showNotice({ message: organization ? `Changed ${name}` : `Created ${name}` });
          onClose();
        },
        onError: (error) => form.setErrors(fieldProblems(error, fields).byField),
      },
    ),
  );
  const rest = save.error && fieldProblems(save.error, fields).rest;

  return (
    <Modal opened onClose={onClose} title={organization ? `Change ${organization.name}` : "New organization"}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {rest && <Alert color="red">{rest}</Alert>}
          <TextInput
            label="Slug"
            description="Its owner name on the git host."
            placeholder="acme"
            maxLength={40}
            data-autofocus
            {...form.getInputProps("slug")}
          />
          <TextInput label="Name" placeholder={form.values.slug} maxLength={200} {...form.getInputProps("name")} />
          <TextInput
            label="Agents repository"
            description="Only if it is not at the usual place."
            placeholder={`${me?.git_url ?? ""}/${slug}/${slug}-agents`}
            {...form.getInputProps("agents_repo_url")}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {organization ? "Save" : "Create organization"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
