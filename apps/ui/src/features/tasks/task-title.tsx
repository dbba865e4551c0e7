// The title of a task page, edited in place.
import { ActionIcon, Box, Group, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { maxTitleCharacters, type Task } from "@task-service/contract";
import { useState } from "react";
import { EditButtons } from "./edit-buttons.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { useTaskEdit } from "./task-edit.ts";

const fields = ["title"] as const;

export const TaskTitle = ({ task }: { task: Task }) => {
  useDocumentTitle(`${task.title} · Tasks`);
  const edit = useTaskEdit(task, fields);
  const [title, setTitle] = useState("");
  const save = () => edit.save({ title });

  if (!edit.isOpen)
    return (
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Title order={1} tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
          <bdi>{task.title}</bdi>
        </Title>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Edit title"
          onClick={() => {
            setTitle(task.title);
            edit.open();
          }}
        >
          <IconPencil size={16} />
        </ActionIcon>
      </Group>
    );
  return (
    <Box maw={720}>
      <TextInput
        aria-label="Title"
        value={title}
        maxLength={maxTitleCharacters}
        error={edit.fieldErrors.title}
        readOnly={edit.isSaving}
        variant={edit.isSaving ? "filled" : "default"}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && title.trim()) save();
          if (key === "Escape") edit.close();
        }}
        ref={(input) => input?.focus()}
      />
      <EditButtons edit={edit} onSave={save} isIncomplete={!title.trim()} />
      <EditConflictDialog edit={edit} />
    </Box>
  );
};
