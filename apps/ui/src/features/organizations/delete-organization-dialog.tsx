// Asks once before an organization is deleted, and says why where it is refused.
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Organization } from "@task-service/contract";
import { useDeleteOrganization } from "../../data/organization-data.ts";
import { showNotice } from "../../lib/notices.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { useReturnedFocus } from "../../lib/returned-focus.ts";

interface DeleteOrganizationDialogProps {
  organization: Organization;
  onClose: () => void;
}

export const DeleteOrganizationDialog = ({ organization, onClose }: DeleteOrganizationDialogProps) => {
  useReturnedFocus();
  const remove = useDeleteOrganization(organization.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showNotice({ message: `Deleted ${organization.name}` });
        onClose();
      },
    });
  return (
    <Modal opened onClose={onClose} title={`Delete ${organization.name}?`}>
      <Stack>
        <Text>
          Its ended tasks and its agent types go with it. While tasks are queued or running it cannot be deleted. This
          cannot be undone.
        </Text>
        {remove.error && <Alert color="red">{problemWords(remove.error)}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" onClick={confirm} loading={remove.isPending}>
            Delete organization
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
