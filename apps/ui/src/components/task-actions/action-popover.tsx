// The form of an action beside what it was called from: a priority, or who shall do it.
import { Popover, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { tasksWord } from "../../lib/task-words.ts";
import { AssignForm } from "./assign-form.tsx";
import { PriorityForm } from "./priority-form.tsx";
import type { ActionTask, TaskActions } from "./task-actions.ts";

export type ActionForm = "priority" | "assign";

interface ActionPopoverProps {
  /** The form that is open. */
  form: ActionForm | null;
  onClose: () => void;
  tasks: readonly ActionTask[];
  actions: TaskActions;
  /** What it stands beside. */
  children: ReactElement;
}

const samePriority = (tasks: readonly ActionTask[]): number | undefined => {
  const [first] = tasks;
  return first && tasks.every(({ priority }) => priority === first.priority) ? first.priority : undefined;
};

export const ActionPopover = ({ form, onClose, tasks, actions, children }: ActionPopoverProps) => {
  const finish = (action: Promise<void>) => {
    onClose();
    void action;
  };
  return (
    <Popover
      opened={form !== null}
      onDismiss={onClose}
      trapFocus
      returnFocus
      shadow="md"
      position="bottom-end"
      withinPortal
      // While it faded it would keep the keys.
      transitionProps={{ duration: 0 }}
      // The target may be a mere wrapper, which has no say of its own.
      withRoles={false}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={form === "assign" ? "Assign" : "Change priority"}>
        {tasks.length > 1 && (
          <Text size="sm" fw={600} mb="xs">
            {tasksWord(tasks.length)}
          </Text>
        )}
        {form === "priority" && (
          <PriorityForm
            initial={samePriority(tasks)}
            onChoose={(priority) => finish(actions.setPriority(tasks, priority))}
            onBump={() => finish(actions.bumpToTop(tasks))}
          />
        )}
        {form === "assign" && <AssignForm onChoose={(to) => finish(actions.assign(tasks, to))} />}
      </Popover.Dropdown>
    </Popover>
  );
};
