// Returning a task to the queue with a word on why, and only from the dispatch one has seen (D-25).

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Requeue, Task } from "@task-service/contract";
import { useClient } from "./client-context.tsx";
import { taskKey, tasksKey } from "./task-data.ts";

export const useRequeueWithReason = ({ id, current_dispatch_id }: Task) => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => {
      const body: Requeue = {
        ...(reason.trim() && { reason: reason.trim() }),
        ...(current_dispatch_id && { dispatch_id: current_dispatch_id }),
      };
      return client.requeueTask({ params: { id }, body });
    },
    onSuccess: (task) => {
      queries.setQueryData(taskKey(id), task);
      void queries.invalidateQueries({ queryKey: tasksKey });
    },
  });
};
