// One row of the queue: drawn again only when something of it has changed.
import type { TaskSummary } from "@task-service/contract";
import { memo } from "react";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TaskRowActions } from "../../components/task-actions/task-row-actions.tsx";
import { TaskRow } from "../../components/task-row.tsx";
import type { TaskRowState } from "../../components/task-rows.ts";
import { countWord } from "../../lib/task-words.ts";

interface QueueRowProps extends TaskRowState {
  task: TaskSummary;
  /** From 1; null once it has left, undefined where the list is not the whole queue. */
  position: number | null | undefined;
}

export const QueueRow = memo(({ task, position, left, hasKeys, ...row }: QueueRowProps) => (
  <TaskRow
    task={task}
    actions={<TaskRowActions task={task} hasKeys={hasKeys} />}
    {...(position !== undefined && { lead: position === null ? "–" : countWord(position) })}
    {...(left !== null && { gone: left })}
    {...row}
  >
    <RelativeTime at={task.queued_at} isAge />
  </TaskRow>
));
