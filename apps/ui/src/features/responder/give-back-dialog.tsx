// Gives a task back to its place in the queue, with a reason for whoever takes it next.
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { useReleaseDispatch } from "../../data/responder-data.ts";
import { problemWords } from "../../lib/problem-words.ts";

interface GiveBackDialogProps {
  release: ReturnType<typeof useReleaseDispatch>;
  /** There is an answer that only this browser has. */
  isUnsaved: boolean;
  /** What was written while it was open is there when it opens again. */
  isOpen: boolean;
  onClose: () => void;
  onGivenBack: () => void;
}

const maxReasonCharacters = 4096;

export const GiveBackDialog = ({ release, isUnsaved, isOpen, onClose, onGivenBack }: GiveBackDialogProps) => {
  const [reason, setReason] = useState("");
  const close = () => {
    // An old refusal says nothing about the next try; one that is under way is still waited for.
    if (!release.isPending) release.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title="Give the task back?">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          release.mutate(reason.trim(), { onSuccess: onGivenBack });
        }}
      >
        <Stack>
          <Textarea
            label="Reason"
            description="The task returns to its place in the queue; whoever takes it next reads this."
            autosize
            minRows={3}
            maxLength={maxReasonCharacters}
            value={reason}
            readOnly={release.isPending}
            variant={release.isPending ? "filled" : "default"}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
          {isUnsaved && (
            <Text>Your answer is not saved. Save it first if whoever takes the task next should see it.</Text>
          )}
          {release.error && <Alert color="red">{problemWords(release.error)}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
            <Button type="submit" loading={release.isPending}>
              Give back
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
