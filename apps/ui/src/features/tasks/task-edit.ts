// Editing a task in place: a change is made to the version that was seen, and a newer one is never overwritten unseen.

import { useQueryClient } from "@tanstack/react-query";
import { ProblemError, type Task, type TaskPatch } from "@task-service/contract";
import { useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { useUpdateTask } from "../../data/task-mutations.ts";
import { fieldProblems, problemWords } from "../../lib/problem-words.ts";

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
  conflict: EditConflict | null;
  /** Saves what was refused over the newer version, which has been shown. */
  overwrite: () => void;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** `fields` are those whose refusal the editor shows at the field itself. */
export const useTaskEdit = (task: Task, fields: readonly (keyof TaskPatch)[] = []): TaskEdit => {
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
          const theirs = await queries.fetchQuery({ ...taskQuery(client, task.id), staleTime: 0 });
          const changed = Object.keys(patch) as (keyof TaskPatch & keyof Task)[];
          // Somebody changed something else: this change does not meet theirs.
          if (changed.every((field) => isSame(theirs[field], from[field]))) send(theirs, patch);
          else setConflict({ mine: patch, theirs });
        },
      },
    );

  const failure = conflict ? null : update.error;
  const problems = failure && fields.length > 0 ? fieldProblems(failure, fields) : null;

  return {
    isOpen: base !== null,
    open: () => setBase(task),
    close,
    save: (patch) => send(base ?? task, patch),
    isSaving: update.isPending,
    error: problems ? problems.rest : failure && problemWords(failure),
    fieldErrors: problems?.byField ?? {},
    conflict,
    overwrite: () => {
      if (!conflict) return;
      setConflict(null);
      send(conflict.theirs, conflict.mine);
    },
  };
};
