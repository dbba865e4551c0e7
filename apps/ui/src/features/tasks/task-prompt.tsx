// What the worker is asked to do, edited in place while nobody works on it.
import { Button, Group, Paper } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { maxPromptCharacters, type Task } from "@task-service/contract";
import { useState } from "react";
import { CopyIcon } from "../../components/copy-icon.tsx";
import { MarkdownEditor } from "../../components/markdown-editor.tsx";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { isBeingWorkedOn } from "../../lib/task-words.ts";
import { EditButtons } from "./edit-buttons.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { useTaskEdit } from "./task-edit.ts";
import { TaskSection } from "./task-section.tsx";

const fields = ["prompt"] as const;

export const TaskPrompt = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task, fields);
  const [prompt, setPrompt] = useState("");
  const start = () => {
    setPrompt(task.prompt);
    edit.open();
  };
  return (
    <TaskSection
      title="Prompt"
      action={
        !edit.isOpen && (
          <Group gap="xs">
            {!isBeingWorkedOn(task) && (
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
            )}
            <CopyIcon text={task.prompt} name="the prompt" />
          </Group>
        )
      }
    >
      {edit.isOpen ? (
        <>
          <MarkdownEditor
            aria-label="Prompt"
            value={prompt}
            onChange={setPrompt}
            maxCharacters={maxPromptCharacters}
            error={edit.fieldErrors.prompt}
            readOnly={edit.isSaving}
            autoFocus
          />
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
