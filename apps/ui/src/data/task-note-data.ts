// Notes: reading those of a task and leaving one (D-38).

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";
import { useClient } from "./client-context.tsx";
import { taskKey } from "./task-data.ts";

/** The notes of a task, newest first, page by page. */
export const taskNotesQuery = (client: Client, id: string) =>
  infiniteQueryOptions({
    queryKey: [...taskKey(id), "notes"],
    queryFn: ({ pageParam, signal }) =>
      client.listNotes({ params: { id }, query: { limit: 20, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });

export interface NewNote {
  text: string;
  /** Kept when the same note is sent again, so that it is left once. */
  idempotencyKey: string;
}

export const useLeaveNote = (id: string) => {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ text, idempotencyKey }: NewNote) =>
      client.createNote({ params: { id }, headers: { "idempotency-key": idempotencyKey }, body: { text } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: taskKey(id) }),
  });
};
