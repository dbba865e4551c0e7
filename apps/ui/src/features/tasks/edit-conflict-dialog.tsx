// Shows both when a change met a newer version of the task: what one wrote, and what stands there now.
import { Button, Group, Modal, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Task, TaskPatch } from "@task-service/contract";
import { assigneeName } from "../../components/assignee-mark.tsx";
import type { TaskEdit } from "./task-edit.ts";

export const fieldNames = {
  title: "title",
  prompt: "prompt",
  priority: "priority",
  assignee: "assignee",
  labels: "labels",
  git_link: "link to git",
} as const;
export type ShownField = keyof typeof fieldNames;
const shownFields = Object.keys(fieldNames) as ShownField[];

/** A field of the task in words. */
export const fieldWords = (task: Task, field: ShownField): string => {
  if (field === "assignee") return assigneeName(task);
  if (field === "labels") return task.labels.join(", ") || "None";
  return field === "git_link" ? (task.git_link?.url ?? "None") : String(task[field]);
};

interface EditConflictDialogProps {
  edit: TaskEdit;
  /** A change as a person reads it, where its value alone says little. */
  mineInWords?: (patch: TaskPatch) => string;
}

const Version = ({ title, children }: { title: string; children: string }) => (
  <section aria-label={title}>
    <Text fw={600} mb={4}>
      {title}
    </Text>
    <Paper
      withBorder
      p="sm"
      mah={280}
      style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
      tabIndex={0}
      dir="auto"
    >
      {children}
    </Paper>
  </section>
);

export const EditConflictDialog = ({ edit, mineInWords }: EditConflictDialogProps) => {
  const { conflict } = edit;
  const fields = shownFields.filter((field) => conflict && field in conflict.mine);
  return (
    <Modal opened={conflict !== null} onClose={edit.goOn} title="The task has changed since you opened it" size="lg">
      <Stack>
        {conflict &&
          fields.map((field) => (
            <SimpleGrid key={field} cols={{ base: 1, sm: 2 }}>
              <Version title={`Your ${fieldNames[field]}`}>
                {mineInWords?.(conflict.mine) ?? String(conflict.mine[field])}
              </Version>
              <Version title={`The ${fieldNames[field]} now`}>{fieldWords(conflict.theirs, field)}</Version>
            </SimpleGrid>
          ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={edit.goOn} data-autofocus>
            Go on editing mine
          </Button>
          <Button variant="default" onClick={edit.close}>
            Keep what is there now
          </Button>
          <Button onClick={edit.overwrite}>Save mine over it</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
