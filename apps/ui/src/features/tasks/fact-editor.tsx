// A fact of the task page that opens into its editor.
import { ActionIcon, Fieldset, Group, Popover } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { EditButtons } from "./edit-buttons.tsx";
import type { TaskEdit } from "./task-edit.ts";

interface FactEditorProps {
  /** What is edited, for the button's name: "priority". */
  name: string;
  /** The fact as it is. */
  shown: ReactNode;
  edit: TaskEdit;
  onOpen: () => void;
  onSave: () => void;
  isIncomplete?: boolean;
  /** The editor. */
  children: ReactNode;
}

/** A browser takes the focus from what is locked while it is saved: it goes back there, unless it went elsewhere. */
const useFocusBack = (isSaving: boolean): void => {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isSaving) focused.current = document.activeElement;
    else if (document.activeElement === document.body && focused.current instanceof HTMLElement)
      focused.current.focus();
  }, [isSaving]);
};

export const FactEditor = ({ name, shown, edit, onOpen, onSave, isIncomplete = false, children }: FactEditorProps) => {
  useFocusBack(edit.isSaving);
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      {shown}
      <Popover
        opened={edit.isOpen && !edit.conflict}
        onDismiss={edit.close}
        width={360}
        position="bottom-end"
        shadow="md"
        trapFocus
        returnFocus
        // What is being written goes only by a word of its own: Cancel, or Escape.
        closeOnClickOutside={false}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Edit ${name}`}
            onClick={() => {
              if (edit.isOpen) return;
              onOpen();
              edit.open();
            }}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Edit ${name}`} maw="calc(100vw - 32px)">
          {/* What is changed while it is being saved would be gone once it is. */}
          <Fieldset variant="unstyled" disabled={edit.isSaving}>
            {children}
          </Fieldset>
          <EditButtons edit={edit} onSave={onSave} isIncomplete={isIncomplete} />
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
};
