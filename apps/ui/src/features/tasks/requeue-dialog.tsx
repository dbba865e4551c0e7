// Returns a task to the queue, with a word on why for whoever takes it next.
import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { useRequeueWithReason } from "../../data/task-requeue.ts";
import { showNotice } from "../../lib/notices.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { isBeingWorkedOn } from "../../lib/task-words.ts";

const maxReasonCharacters = 4_096;

interface RequeueDialogProps {
  task: Task;
  isOpen: boolean;
  onClose: () => void;
}

export const RequeueDialog = ({ task, isOpen, onClose }: RequeueDialogProps) => {
  const requeue = useRequeueWithReason(task);
  const [reason, setReason] = useState("");
  const confirm = () =>
    requeue.mutate(reason, {
      onSuccess: () => {
        setReason("");
        onClose();
        showNotice({ message: "Returned to its place in the queue" });
      },
    });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Return this task to the queue?">
      <Stack>
        {isBeingWorkedOn(task) && <Text>A worker has it now; its executor is told to stop it.</Text>}
        <Textarea
          label="Why"
          description="Optional. Whoever takes it next is given it as a note."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={maxReasonCharacters}
          value={reason}
          readOnly={requeue.isPending}
          variant={requeue.isPending ? "filled" : "default"}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          onKeyDown={getHotkeyHandler([["mod+Enter", confirm]])}
          error={requeue.error && problemWords(requeue.error)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={confirm} loading={requeue.isPending}>
            Return to the queue
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
