// Who does the task, on its page: edited in place while nobody works on it.
import { useQuery } from "@tanstack/react-query";
import type { Task, TaskPatch } from "@task-service/contract";
import { useState } from "react";
import { AssigneeMark } from "../../components/assignee-mark.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { isBeingWorkedOn } from "../../lib/task-words.ts";
import { type Assignee, AssigneeFields } from "./assignee-fields.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { FactEditor } from "./fact-editor.tsx";
import { useTaskEdit } from "./task-edit.ts";

const assigneeOf = ({ assignee_type, assignee }: Task): Assignee => ({
  assignee_type: assignee_type ?? "nobody",
  assignee: assignee ?? "",
});

const patchOf = ({ assignee_type, assignee }: Assignee): TaskPatch =>
  assignee_type === "nobody" ? { assignee_type: null, assignee: null } : { assignee_type, assignee: assignee.trim() };

const fields = ["assignee_type", "assignee"] as const;

export const AssigneeFact = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task, fields);
  const [assignee, setAssignee] = useState(() => assigneeOf(task));
  const { data: agentTypes } = useQuery(agentTypesQuery(useClient()));
  if (isBeingWorkedOn(task)) return <AssigneeMark task={task} />;
  return (
    <>
      <FactEditor
        name="assignee"
        shown={<AssigneeMark task={task} />}
        edit={edit}
        onOpen={() => setAssignee(assigneeOf(task))}
        onSave={() => edit.save(patchOf(assignee))}
        isIncomplete={assignee.assignee_type !== "nobody" && !assignee.assignee.trim()}
      >
        <AssigneeFields value={assignee} onChange={setAssignee} error={edit.fieldErrors.assignee ?? null} />
      </FactEditor>
      <EditConflictDialog
        edit={edit}
        mineInWords={(patch) => agentTypes?.find(({ id }) => id === patch.assignee)?.name ?? patch.assignee ?? "Nobody"}
      />
    </>
  );
};
