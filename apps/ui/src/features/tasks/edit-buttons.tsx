// The end of every edit in place: save, cancel, and why it was refused.
import { Button, Group, Text } from "@mantine/core";
import type { TaskEdit } from "./task-edit.ts";

interface EditButtonsProps {
  edit: TaskEdit;
  onSave: () => void;
  isIncomplete?: boolean;
}

export const EditButtons = ({ edit, onSave, isIncomplete = false }: EditButtonsProps) => (
  <>
    {edit.error && (
      <Text c="error" role="alert" mt="xs">
        {edit.error}
      </Text>
    )}
    <Group gap="xs" mt="sm">
      <Button size="xs" onClick={onSave} loading={edit.isSaving} disabled={isIncomplete}>
        Save
      </Button>
      <Button size="xs" variant="default" onClick={edit.close}>
        Cancel
      </Button>
    </Group>
  </>
);
