// Asks before a task is deleted, naming it: there is no undo.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Task } from "@task-service/contract";
import { useDeleteTask } from "../../data/task-mutations.ts";
import { showNotice } from "../../lib/notices.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { isBeingWorkedOn } from "../../lib/task-words.ts";

interface DeleteDialogProps {
  task: Task;
  isOpen: boolean;
  onClose: () => void;
}

export const DeleteDialog = ({ task, isOpen, onClose }: DeleteDialogProps) => {
  const navigate = useNavigate();
  const remove = useDeleteTask(task.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showNotice({ message: `Deleted “\u2068${task.title}\u2069”` });
        void navigate({ to: "/" });
      },
    });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Delete this task?">
      <Stack>
        <Text style={{ overflowWrap: "anywhere" }}>
          <b>
            <bdi>{task.title}</bdi>
          </b>{" "}
          and its dispatches will be gone; its follow-ups stay. This cannot be undone.
        </Text>
        {isBeingWorkedOn(task) && <Text>A worker has it now; its executor is told to stop it.</Text>}
        {remove.error && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problemWords(remove.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" onClick={confirm} loading={remove.isPending}>
            Delete task
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
