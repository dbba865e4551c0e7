// Changing and deleting one task (D-13, D-15).
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Task, TaskPatch } from "@task-service/contract";
import { useClient } from "./client-context.tsx";
import { taskKey, taskListsKey, tasksKey } from "./task-data.ts";

const ifMatch = (version: number) => ({ "if-match": `"${version}"` });

/** Shows the answer at once and lets every list of tasks ask again. */
const useRemember = () => {
  const queries = useQueryClient();
  return (task: Task) => {
    queries.setQueryData(taskKey(task.id), task);
    void queries.invalidateQueries({ queryKey: tasksKey });
  };
};

export interface TaskChange {
  /** The version the change was made to: a newer one refuses it with `precondition_failed`. */
  version: number;
  patch: TaskPatch;
}

export const useUpdateTask = (id: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: ({ version, patch }: TaskChange) =>
      client.updateTask({ params: { id }, headers: ifMatch(version), body: patch }),
    onSuccess: useRemember(),
  });
};

export const useDeleteTask = (id: string) => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.deleteTask({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: taskListsKey }),
  });
};
