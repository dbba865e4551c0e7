// What can be done with one task, from its row: a button, and behind it a menu that loads when somebody turns to a row.
import { lazy, Suspense, useState } from "react";
import { MenuButton } from "./menu-button.tsx";
import type { ActionTask } from "./task-actions.ts";

const TaskRowMenu = lazy(() => import("./task-row-menu.tsx"));

interface TaskRowActionsProps {
  task: ActionTask;
  /** Whether `p`, `a` and `r` mean this task: it is the current row, and no others are selected. */
  hasKeys?: boolean;
}

/** A row that nobody has turned to is a button and nothing else: lists are long. */
export const TaskRowActions = ({ task, hasKeys = false }: TaskRowActionsProps) => {
  const [isWanted, setIsWanted] = useState(false);
  const button = <MenuButton task={task} aria-haspopup="menu" onClick={() => setIsWanted(true)} />;
  if (!isWanted && !hasKeys) return button;
  return (
    <Suspense fallback={button}>
      <TaskRowMenu task={task} hasKeys={hasKeys} isOpenAtFirst={isWanted} />
    </Suspense>
  );
};
