// A row of all tasks: what there is to say of it ends with its state, and since when.
import type { TaskSummary } from "@task-service/contract";
import { memo } from "react";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TaskRowActions } from "../../components/task-actions/task-row-actions.tsx";
import { TaskRow } from "../../components/task-row.tsx";
import type { TaskRowState } from "../../components/task-rows.ts";
import { stateWord } from "../../lib/task-words.ts";

interface TaskListRowProps extends TaskRowState {
  task: TaskSummary;
}

const sinceOf = ({ dispatch_ended_at, dispatched_at, queued_at }: TaskSummary): string =>
  dispatch_ended_at ?? dispatched_at ?? queued_at;

export const TaskListRow = memo(({ task, left, hasKeys, ...row }: TaskListRowProps) => (
  <TaskRow
    task={task}
    actions={<TaskRowActions task={task} hasKeys={hasKeys} />}
    {...(left !== null && { gone: left })}
    {...row}
  >
    {stateWord(task)} · <RelativeTime at={sinceOf(task)} isAge />
  </TaskRow>
));
