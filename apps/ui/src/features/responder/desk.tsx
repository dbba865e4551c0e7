// A task in a person's hands: what is asked and as whom on the left, the answer and its ends on the right.
import { Anchor, Box, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { DispatchDetail, Task } from "@task-service/contract";
import { useEffect, useState } from "react";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PriorityMark } from "../../components/priority-mark.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useFinishDispatch, useReleaseDispatch } from "../../data/responder-data.ts";
import { showNotice } from "../../lib/notices.ts";
import { useAnswerDraft } from "./answer-draft.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import classes from "./desk.module.css";
import { Notes } from "./desk-notes.tsx";
import { EndNotice } from "./end-notice.tsx";
import { FollowUpForm } from "./follow-up-form.tsx";
import { GiveBackDialog } from "./give-back-dialog.tsx";
import { useLeaveWarning } from "./leave-warning.ts";

interface DeskProps {
  dispatch: DispatchDetail;
  task: Task;
  /** The task was deleted meanwhile. */
  isGone: boolean;
  /** Goes back to taking tasks. */
  onLeave: () => void;
}

/** On a narrow window the answer would stand far below a long persona. */
const isWideNow = () => window.matchMedia("(min-width: 68.75em)").matches;

const Asked = ({ dispatch, task }: Pick<DeskProps, "dispatch" | "task">) => {
  const [isWide] = useState(isWideNow);
  return (
    <div className={classes.given}>
      <section aria-labelledby="prompt">
        <Text component="h2" id="prompt" fw={600} mt={0} mb="xs">
          What is asked
        </Text>
        <div className={classes.text}>
          <MarkdownText text={task.prompt} />
        </div>
      </section>
      <details className={classes.persona} open={isWide}>
        <summary>
          As whom: <bdi>{dispatch.agent_type.name}</bdi>
        </summary>
        <div className={classes.text}>
          <MarkdownText text={dispatch.agent_type.body} />
        </div>
      </details>
    </div>
  );
};

export const Desk = ({ dispatch, task, isGone, onLeave }: DeskProps) => {
  const draft = useAnswerDraft(dispatch.id, task.result);
  const [isGivingBack, setIsGivingBack] = useState(false);
  const finish = useFinishDispatch(dispatch.id);
  const release = useReleaseDispatch(dispatch.id);
  // The news of an end may be here before the answer to whoever made it.
  const isEndedHere = [finish, release].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const isLive = !isGone && (isEndedHere || dispatch.ended_at === null);
  useLeaveWarning(isLive && draft.isUnsaved);
  // Taken by a press of a button that is gone now.
  useEffect(() => document.querySelector<HTMLElement>("main h1")?.focus(), []);
  const leaveWith = (message: string) => {
    showNotice({ message });
    onLeave();
  };
  return (
    <>
      <PageHeader
        title={task.title}
        numbers={
          <>
            <Box component="span" display="inline-flex" style={{ verticalAlign: "bottom" }}>
              <PriorityMark priority={task.priority} />
            </Box>{" "}
            <bdi>{dispatch.agent_type.name}</bdi> of {task.organization_slug} · attempt {dispatch.attempt} · taken{" "}
            <RelativeTime at={dispatch.dispatched_at} />
            {!isGone && (
              <>
                {" · "}
                <Anchor
                  renderRoot={(props) => <Link to="/tasks/$id" params={{ id: task.id }} target="_blank" {...props} />}
                >
                  Task page, in a new tab
                </Anchor>
              </>
            )}
          </>
        }
      />
      {isLive ? (
        <Text size="sm" c="dimmed" mb="lg">
          The task is yours while this page is open. If you close it, the task returns to the queue five minutes later.
        </Text>
      ) : (
        <div role="alert">
          <EndNotice dispatch={isGone ? undefined : dispatch} draft={draft} onLeave={onLeave} />
        </div>
      )}
      <div className={classes.halves}>
        <Asked dispatch={dispatch} task={task} />
        <div className={classes.work}>
          {isLive && (
            <AnswerPanel
              dispatch={dispatch.id}
              finish={finish}
              task={task}
              draft={draft}
              onGiveBack={() => setIsGivingBack(true)}
              onFinished={() => leaveWith(`Finished “${task.title}”`)}
            />
          )}
          {isLive && <FollowUpForm parent={task} />}
          {!isGone && <Notes task={task.id} {...(isLive && { dispatch: dispatch.id })} />}
        </div>
      </div>
      <GiveBackDialog
        release={release}
        isUnsaved={draft.isUnsaved}
        isOpen={isGivingBack}
        onClose={() => setIsGivingBack(false)}
        onGivenBack={() => leaveWith(`Gave back “${task.title}”`)}
      />
    </>
  );
};
