// Gives a task back to its place in the queue, with a reason for whoever takes it next.
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useReleaseDispatch } from "../../data/responder-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { useReturnedFocus } from "../../lib/returned-focus.ts";

interface GiveBackDialogProps {
  dispatch: string;
  /** There is an answer that only this browser has. */
  isUnsaved: boolean;
  onClose: () => void;
  onGivenBack: () => void;
}

const maxReasonCharacters = 4096;

export const GiveBackDialog = ({ dispatch, isUnsaved, onClose, onGivenBack }: GiveBackDialogProps) => {
  useReturnedFocus();
  const [reason, setReason] = useState("");
  const release = useReleaseDispatch(dispatch);
  return (
    <Modal opened onClose={onClose} title="Give the task back?">
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
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
          {isUnsaved && (
            <Text>Your answer is not saved. Save it first if whoever takes the task next should see it.</Text>
          )}
          {release.error && <Alert color="red">{problemWords(release.error)}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
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
