// The end of every edit in place: save, cancel, and why it was refused.
import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import type { TaskEdit } from "./task-edit.ts";

interface EditButtonsProps {
  edit: TaskEdit;
  onSave: () => void;
  isIncomplete?: boolean;
  /** What else can be done. */
  children?: ReactNode;
}

export const EditButtons = ({ edit, onSave, isIncomplete = false, children }: EditButtonsProps) => (
  <>
    {edit.meanwhile && <ChangedMeanwhile edit={edit} task={edit.meanwhile} />}
    {edit.error && (
      <Text c="var(--mantine-color-error)" role="alert" mt="xs">
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
      {children}
    </Group>
  </>
);
