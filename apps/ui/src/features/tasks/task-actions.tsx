// What can be done with a task as a whole: a follow-up, back to the queue, delete.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArrowBackUp, IconSubtask, IconTrash } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { useDeleteTask, useRequeueTask } from "../../data/task-mutations.ts";
import { problemWords } from "../../lib/problem-words.ts";

const sayRefused = (error: Error) =>
  notifications.show({ color: "red", title: "That did not work", message: problemWords(error) });

const DeleteDialog = ({ task, isOpen, onClose }: { task: Task; isOpen: boolean; onClose: () => void }) => {
  const navigate = useNavigate();
  const remove = useDeleteTask(task.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notifications.show({ message: `Deleted “${task.title}”` });
        void navigate({ to: "/" });
      },
      onError: sayRefused,
    });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Delete this task?">
      <Stack>
        <Text>
          <b>{task.title}</b> and its dispatches will be gone. This cannot be undone.
        </Text>
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

export const TaskActions = ({ task }: { task: Task }) => {
  const requeue = useRequeueTask(task.id);
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSubtask size={16} />}
        renderRoot={(props) => <Link to="/tasks/new" search={{ parent: task.id }} {...props} />}
      >
        Create follow-up
      </Button>
      {task.state === "dispatched" && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={16} />}
          loading={requeue.isPending}
          onClick={() =>
            requeue.mutate(undefined, {
              onSuccess: () => notifications.show({ message: "Returned to its place in the queue" }),
              onError: sayRefused,
            })
          }
        >
          Requeue
        </Button>
      )}
      <Button size="xs" variant="default" leftSection={<IconTrash size={16} />} onClick={() => setIsDeleting(true)}>
        Delete
      </Button>
      <DeleteDialog task={task} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Group>
  );
};
