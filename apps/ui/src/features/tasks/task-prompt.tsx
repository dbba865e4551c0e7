// What the worker is asked to do, edited in place while nobody works on it.
import { Button, Paper } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { MarkdownEditor } from "../../components/markdown-editor.tsx";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { EditButtons } from "./edit-buttons.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { useTaskEdit } from "./task-edit.ts";
import { TaskSection } from "./task-section.tsx";

/** Its prompt and its assignee stay as they are while a worker has the task (D-13). */
export const isBeingWorkedOn = ({ state, dispatch_ended_at }: Task): boolean =>
  state === "dispatched" && dispatch_ended_at === null;

export const TaskPrompt = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task);
  const [prompt, setPrompt] = useState("");
  const start = () => {
    setPrompt(task.prompt);
    edit.open();
  };
  return (
    <TaskSection
      title="Prompt"
      action={
        !edit.isOpen &&
        !isBeingWorkedOn(task) && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconPencil size={14} />}
            onClick={start}
            aria-label="Edit prompt"
          >
            Edit
          </Button>
        )
      }
    >
      {edit.isOpen ? (
        <>
          <MarkdownEditor aria-label="Prompt" value={prompt} onChange={setPrompt} autoFocus />
          <EditButtons edit={edit} onSave={() => edit.save({ prompt })} isIncomplete={!prompt.trim()} />
          <EditConflictDialog edit={edit} />
        </>
      ) : (
        <Paper withBorder p="md">
          <MarkdownText text={task.prompt} />
        </Paper>
      )}
    </TaskSection>
  );
};
