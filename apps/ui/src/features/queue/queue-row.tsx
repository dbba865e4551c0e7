// One row of the queue: drawn again only when something of it has changed.
import type { TaskSummary } from "@task-service/contract";
import { type MouseEvent, memo } from "react";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TaskRow } from "../../components/task-row.tsx";
import { countWord } from "../../lib/task-words.ts";

interface QueueRowProps {
  task: TaskSummary;
  /** From 1; null once it has left, undefined where the list is not the whole queue. */
  position: number | null | undefined;
  /** What became of it; null while it is there. */
  left: string | null;
  isCurrent: boolean;
  isSelected: boolean;
  isOpen: boolean;
  onSelect: (id: string, isRange: boolean) => void;
  onOpen: (id: string, event: MouseEvent) => void;
}

export const QueueRow = memo(({ task, position, left, ...row }: QueueRowProps) => (
  <TaskRow
    task={task}
    hasCreator
    {...(position !== undefined && { lead: position === null ? "–" : countWord(position) })}
    {...(left !== null && { gone: left })}
    {...row}
  >
    <RelativeTime at={task.queued_at} isAge />
  </TaskRow>
));
