// The labels on the task page, edited in place.
import { Badge, Group, Text } from "@mantine/core";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { FactEditor } from "./fact-editor.tsx";
import { LabelsInput } from "./labels-input.tsx";
import { useTaskEdit } from "./task-edit.ts";

const fields = ["labels"] as const;

const Labels = ({ labels }: { labels: readonly string[] }) =>
  labels.length === 0 ? (
    <Text c="dimmed">None</Text>
  ) : (
    <Group gap={4} miw={0} component="ul" aria-label="Labels" m={0} p={0} style={{ listStyle: "none" }}>
      {labels.map((label) => (
        <Badge key={label} component="li" variant="default" tt="none" fw={400} maw="100%">
          <bdi>{label}</bdi>
        </Badge>
      ))}
    </Group>
  );

export const LabelsFact = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task, fields);
  const [labels, setLabels] = useState<string[]>([]);
  return (
    <>
      <FactEditor
        name="labels"
        shown={<Labels labels={task.labels} />}
        edit={edit}
        onOpen={() => setLabels(task.labels)}
        onSave={() => edit.save({ labels })}
      >
        <LabelsInput value={labels} onChange={setLabels} error={edit.fieldErrors.labels ?? null} />
      </FactEditor>
      <EditConflictDialog edit={edit} mineInWords={(patch) => patch.labels?.join(", ") || "None"} />
    </>
  );
};
