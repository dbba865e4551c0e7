// Editing a task in place: a change is made to the version that was seen, and a newer one is never overwritten unseen.

import { useQueryClient } from "@tanstack/react-query";
import { ProblemError, type Task, type TaskPatch } from "@task-service/contract";
import { useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { useUpdateTask } from "../../data/task-mutations.ts";
import { fieldProblems } from "../../lib/problem-words.ts";

export interface EditConflict {
  mine: TaskPatch;
  theirs: Task;
}

export interface TaskEdit {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  save: (patch: TaskPatch) => void;
  isSaving: boolean;
  /** Why it was refused, where no field of the editor says it. */
  error: string | null;
  fieldErrors: Partial<Record<keyof TaskPatch, string>>;
  /** The task as it is by now, once somebody else changed what is being edited. */
  meanwhile: Task | null;
  fields: readonly EditedField[];
  conflict: EditConflict | null;
  /** Saves what was refused over the newer version, which has been shown. */
  overwrite: () => void;
  /** Back to the editor with what was written, having seen the newer version. */
  goOn: () => void;
}

export type EditedField = keyof TaskPatch & keyof Task;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** `fields` are those that are edited; the editor shows a refusal at the field itself. */
export const useTaskEdit = (task: Task, fields: readonly EditedField[]): TaskEdit => {
  const [base, setBase] = useState<Task | null>(null);
  const [conflict, setConflict] = useState<EditConflict | null>(null);
  const update = useUpdateTask(task.id);
  const client = useClient();
  const queries = useQueryClient();

  const close = () => {
    setBase(null);
    setConflict(null);
    update.reset();
  };

  const send = (from: Task, patch: TaskPatch): void =>
    update.mutate(
      { version: from.version, patch },
      {
        onSuccess: close,
        onError: async (error) => {
          if (!(error instanceof ProblemError && error.code === "precondition_failed")) return;
          const read = queries.fetchQuery({ ...taskQuery(client, task.id), staleTime: 0 });
          const theirs = await read.catch(() => null);
          // Without the newer version the refusal itself is what can be told.
          if (!theirs) return;
          const changed = Object.keys(patch) as EditedField[];
          // Somebody changed something else: this change does not meet theirs.
          if (changed.every((field) => isSame(theirs[field], from[field]))) send(theirs, patch);
          else setConflict({ mine: patch, theirs });
        },
      },
    );

  const failure = conflict ? null : update.error;
  const problems = failure && fieldProblems(failure, fields);
  const isChanged = base !== null && fields.some((field) => !isSame(task[field], base[field]));

  return {
    isOpen: base !== null,
    open: () => setBase(task),
    close,
    // A second press would meet the version that the first one makes.
    save: (patch) => {
      if (!update.isPending) send(base ?? task, patch);
    },
    isSaving: update.isPending,
    error: problems?.rest ?? null,
    fieldErrors: problems?.byField ?? {},
    meanwhile: isChanged && !update.isPending ? task : null,
    fields,
    conflict,
    goOn: () => {
      if (conflict) setBase(conflict.theirs);
      setConflict(null);
      update.reset();
    },
    overwrite: () => {
      if (!conflict) return;
      setConflict(null);
      send(conflict.theirs, conflict.mine);
    },
  };
};
