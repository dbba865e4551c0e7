// The bar of actions for the selected tasks, with their keys.
import { Button, CloseButton } from "@mantine/core";
import { IconArrowBackUp, IconArrowBarToUp, IconChevronsUp, IconTrash, IconUserShare } from "@tabler/icons-react";
import { useState } from "react";
import { useKeyBindings } from "../../lib/key-bindings.ts";
import { countWord } from "../../lib/task-words.ts";
import { type ActionForm, ActionPopover } from "./action-popover.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { useAskedActions } from "./asked-actions.ts";
import classes from "./task-actions.module.css";
import { useTaskActions } from "./task-actions.ts";
import type { TaskBulkBarProps } from "./task-bulk-bar.tsx";

const TaskBulkTools = ({ tasks, shownCount, onSelectAll, onClear, onKeep }: TaskBulkBarProps) => {
  // What was changed stays selected, for the next change; only what a change left out, or what is gone, differs.
  const actions = useTaskActions((failed) => failed.length > 0 && onKeep(failed));
  const [form, setForm] = useState<ActionForm | null>(null);
  const { requeue, bumpToTop, remove, asking } = useAskedActions(tasks, actions);
  useKeyBindings({ p: () => setForm("priority"), a: () => setForm("assign"), r: requeue });

  const button = { size: "compact-md", variant: "default" } as const;
  const formButton = (name: ActionForm, label: string, key: string, icon: typeof IconChevronsUp) => {
    const Icon = icon;
    return (
      <ActionPopover form={form === name ? form : null} onClose={() => setForm(null)} tasks={tasks} actions={actions}>
        <Button
          {...button}
          leftSection={<Icon size={16} />}
          aria-keyshortcuts={key}
          aria-haspopup="dialog"
          onClick={() => setForm(name)}
        >
          {label}
        </Button>
      </ActionPopover>
    );
  };

  return (
    <div role="toolbar" aria-label="Selected tasks" className={classes.bar}>
      <span className={classes.count} role="status">
        {countWord(tasks.length)} selected
      </span>
      {tasks.length < shownCount && (
        <Button {...button} onClick={onSelectAll}>
          Select all {countWord(shownCount)}
        </Button>
      )}
      {formButton("priority", "Priority", "p", IconChevronsUp)}
      <Button {...button} leftSection={<IconArrowBarToUp size={16} />} onClick={bumpToTop}>
        Bump to top
      </Button>
      {formButton("assign", "Assign", "a", IconUserShare)}
      <Button {...button} leftSection={<IconArrowBackUp size={16} />} aria-keyshortcuts="r" onClick={requeue}>
        Requeue
      </Button>
      <Button {...button} leftSection={<IconTrash size={16} />} onClick={remove}>
        Delete
      </Button>
      <CloseButton aria-label="Clear the selection" onClick={onClear} />
      <AskDialog {...asking} />
    </div>
  );
};

export default TaskBulkTools;
