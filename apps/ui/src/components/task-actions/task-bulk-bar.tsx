// What can be done with the selected tasks: a bar that is there, and loads, while any are.
import { lazy, Suspense } from "react";
import type { ActionTask } from "./task-actions.ts";

const TaskBulkTools = lazy(() => import("./task-bulk-tools.tsx"));

export interface TaskBulkBarProps {
  /** The selected tasks: nothing is shown without any. */
  tasks: readonly ActionTask[];
  /** How many rows "select all" would select: those that have been read. */
  shownCount: number;
  onSelectAll: () => void;
  onClear: () => void;
  /** After a change: these were not changed, and stay selected. */
  onKeep: (ids: readonly string[]) => void;
}

export const TaskBulkBar = (props: TaskBulkBarProps) =>
  props.tasks.length === 0 ? null : (
    <Suspense fallback={null}>
      <TaskBulkTools {...props} />
    </Suspense>
  );
