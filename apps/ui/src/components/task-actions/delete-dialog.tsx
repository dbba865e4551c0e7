// Asks once before tasks are deleted, naming them: there is no undo.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { tasksWord } from "../../lib/task-words.ts";
import type { ActionTask } from "./task-actions.ts";

interface DeleteDialogProps {
  tasks: readonly ActionTask[];
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export const DeleteDialog = ({ tasks, isOpen, onClose, onConfirm }: DeleteDialogProps) => {
  const [first] = tasks;
  const isOne = tasks.length === 1;
  return (
    <Modal opened={isOpen} onClose={onClose} title={isOne ? "Delete this task?" : `Delete ${tasksWord(tasks.length)}?`}>
      <Stack>
        <Text>
          {isOne ? <bdi style={{ fontWeight: 600 }}>{first?.title}</bdi> : "They"} and {isOne ? "its" : "their"}{" "}
          dispatches will be gone; the history stays. There is no undo.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep {isOne ? "it" : "them"}
          </Button>
          <Button color="red" onClick={onConfirm}>
            Delete {isOne ? "task" : tasksWord(tasks.length)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
