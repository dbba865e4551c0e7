// Says that the task in hand is no longer the person's, and why; what they wrote stays theirs.
import { Alert, Button, CopyButton, Group, Textarea } from "@mantine/core";
import { IconCheck, IconCopy, IconHandStop } from "@tabler/icons-react";
import type { DispatchDetail } from "@task-service/contract";
import type { AnswerDraft } from "./answer-draft.ts";

interface EndNoticeProps {
  /** Undefined: the task was deleted. */
  dispatch: DispatchDetail | undefined;
  draft: AnswerDraft;
  onLeave: () => void;
}

const reasonOf = (dispatch: DispatchDetail | undefined): string => {
  if (!dispatch) return "The task was deleted.";
  const words = {
    finished: "It was finished elsewhere, in another tab maybe.",
    released: "It was given back to the queue, in another tab maybe.",
    requeued: "Somebody returned it to the queue.",
    expired: "Nothing was heard from this page for five minutes, so it returned to the queue.",
    lost: "It returned to the queue.",
    disconnected: "The connection broke while it was handed over, so it returned to the queue.",
  };
  return words[dispatch.outcome ?? "lost"];
};

export const EndNotice = ({ dispatch, draft, onLeave }: EndNoticeProps) => (
  <Alert icon={<IconHandStop />} color="yellow" title="This task is no longer yours" mb="lg">
    {reasonOf(dispatch)}
    {dispatch?.reason && (
      <>
        {" "}
        The reason given: <bdi>{dispatch.reason}</bdi>
      </>
    )}
    {draft.text && (
      <Textarea
        mt="sm"
        label="What you wrote"
        description="It was not sent anywhere. Copy it, or leave it as a note on the task."
        value={draft.text}
        readOnly
        autosize
        minRows={3}
        maxRows={16}
      />
    )}
    <Group mt="sm" gap="sm">
      {draft.text && (
        <CopyButton value={draft.text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy what I wrote"}
            </Button>
          )}
        </CopyButton>
      )}
      <Button size="xs" variant="default" onClick={onLeave}>
        Back to taking tasks
      </Button>
    </Group>
  </Alert>
);
