// The actions of one task: a menu, the forms it opens, and keys where the row is the current one.
import { Menu } from "@mantine/core";
import { IconArrowBackUp, IconArrowBarToUp, IconChevronsUp, IconTrash, IconUserShare } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useKeyBindings } from "../../lib/key-bindings.ts";
import { type ActionForm, ActionPopover } from "./action-popover.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { useAskedActions } from "./asked-actions.ts";
import { MenuButton } from "./menu-button.tsx";
import classes from "./task-actions.module.css";
import { type ActionTask, useTaskActions } from "./task-actions.ts";

interface TaskRowMenuProps {
  task: ActionTask;
  hasKeys: boolean;
  isOpenAtFirst: boolean;
}

const TaskRowMenu = ({ task, hasKeys, isOpenAtFirst }: TaskRowMenuProps) => {
  const actions = useTaskActions();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // The menu finds its place by the button, and gives the focus back to it: it has to be there first.
  useEffect(() => {
    if (!isOpenAtFirst) return;
    button.current?.focus({ preventScroll: true });
    setIsOpen(true);
  }, [isOpenAtFirst]);
  const [form, setForm] = useState<ActionForm | null>(null);
  const tasks = [task];
  const isDispatched = task.state === "dispatched";
  const { requeue, remove, asking } = useAskedActions(tasks, actions);
  useKeyBindings(
    hasKeys ? { p: () => setForm("priority"), a: () => setForm("assign"), ...(isDispatched && { r: requeue }) } : {},
  );

  return (
    <>
      {/* Outside of the menu: what a menu belongs to is the nearest of both. */}
      <ActionPopover form={form} onClose={() => setForm(null)} tasks={tasks} actions={actions}>
        <span className={classes.anchor}>
          <Menu
            opened={isOpen}
            onChange={setIsOpen}
            returnFocus
            transitionProps={{ duration: 0 }}
            withInitialFocusPlaceholder={false}
            portalProps={{ target: document.getElementById("screen") ?? document.body }}
            position="bottom-end"
            shadow="md"
          >
            <Menu.Target>
              <MenuButton ref={button} task={task} />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconChevronsUp size={16} />} onClick={() => setForm("priority")}>
                Change priority…
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowBarToUp size={16} />} onClick={() => void actions.bumpToTop(tasks)}>
                Bump to top
              </Menu.Item>
              <Menu.Item leftSection={<IconUserShare size={16} />} onClick={() => setForm("assign")}>
                Assign…
              </Menu.Item>
              {isDispatched && (
                <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={requeue}>
                  Requeue
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={remove}>
                Delete…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </ActionPopover>
      <AskDialog {...asking} />
    </>
  );
};

export default TaskRowMenu;
