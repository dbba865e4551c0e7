// The priority on the task page, edited in place.
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { PriorityMark } from "../../components/priority-mark.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { FactEditor } from "./fact-editor.tsx";
import { PriorityPicker } from "./priority-picker.tsx";
import { useTaskEdit } from "./task-edit.ts";

const fields = ["priority"] as const;

export const PriorityFact = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task, fields);
  const [priority, setPriority] = useState(task.priority);
  return (
    <>
      <FactEditor
        name="priority"
        shown={<PriorityMark priority={task.priority} />}
        edit={edit}
        onOpen={() => setPriority(task.priority)}
        onSave={() => edit.save({ priority })}
      >
        <PriorityPicker value={priority} onChange={setPriority} error={edit.fieldErrors.priority ?? null} />
      </FactEditor>
      <EditConflictDialog edit={edit} />
    </>
  );
};
