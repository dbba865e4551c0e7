// The task's state in words: where it is, who has it, since when.
import { Text } from "@mantine/core";
import type { Task } from "@task-service/contract";
import { RelativeTime } from "../../components/relative-time.tsx";
import { stateWord } from "../../lib/task-words.ts";

const Detail = ({ task }: { task: Task }) => {
  const { state, assignee_type, needs_attention, executor, dispatched_at, dispatch_ended_at, queued_at } = task;
  if (needs_attention) return <>It was lost too often. Look at its dispatches, then requeue it.</>;
  if (state === "queued" && assignee_type !== "agent")
    return <>Only tasks of agent types are dispatched. Assign it to one to queue it.</>;
  if (state === "queued")
    return (
      <>
        Waiting for <RelativeTime at={queued_at} isAge />
      </>
    );
  return (
    <>
      To <b>{executor}</b>
      {dispatched_at && (
        <>
          {" "}
          <RelativeTime at={dispatched_at} />
        </>
      )}
      {dispatch_ended_at && (
        <>
          ; its worker ended <RelativeTime at={dispatch_ended_at} />
        </>
      )}
    </>
  );
};

export const TaskState = ({ task }: { task: Task }) => (
  <div>
    <Text fw={650} size="lg">
      {stateWord(task)}
    </Text>
    <Text c="dimmed" component="div">
      <Detail task={task} />
    </Text>
  </div>
);
