// Creating a task once: what a double click or a second try sends again is answered with what the first one created (D-17).

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TaskCreate } from "@task-service/contract";
import { useClient } from "./client-context.tsx";
import { taskKey, tasksKey } from "./task-data.ts";

export interface TaskCreation {
  body: TaskCreate;
  idempotencyKey: string;
}

export const useCreateTaskOnce = () => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: TaskCreation) =>
      client.createTask({ headers: { "idempotency-key": idempotencyKey }, body }),
    onSuccess: (task) => {
      queries.setQueryData(taskKey(task.id), task);
      void queries.invalidateQueries({ queryKey: tasksKey });
    },
  });
};
