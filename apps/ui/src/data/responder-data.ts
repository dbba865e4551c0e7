// What a person holds as an executor, and everything they may do with it (D-15, D-20 to D-26).
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Client, ProblemError, type Task, type TaskCreate, type TaskPatch } from "@task-service/contract";
import { useClient } from "./client-context.tsx";
import { taskKey, taskListsKey, tasksKey } from "./task-data.ts";

/** Lists: the events of a task tell of its dispatch without naming it. */
const dispatchesKey = [...taskListsKey, "dispatches"] as const;

/** The live dispatches of an executor, newest first. */
export const heldDispatchesQuery = (client: Client, executor: string) =>
  queryOptions({
    queryKey: [...dispatchesKey, "of", executor],
    queryFn: async ({ signal }) => (await client.listDispatches({ query: { executor, live: true }, signal })).items,
    enabled: executor !== "",
  });

/** A dispatch with the persona as it was handed over, also once it is over. */
export const dispatchQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...dispatchesKey, id],
    queryFn: ({ signal }) => client.getDispatch({ params: { id }, signal }),
  });

const notesShown = 50;

/** The newest notes of a task, oldest first. */
export const latestNotesQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: [...taskKey(id), "latest-notes"],
    queryFn: async ({ signal }) =>
      (await client.listNotes({ params: { id }, query: { limit: notesShown }, signal })).items.toReversed(),
  });

const useRefresh = () => {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: tasksKey });
};

export interface AnswerSaving {
  task: Task;
  patch: Pick<TaskPatch, "result" | "input_tokens" | "output_tokens">;
  /** The result the answer is to take the place of. */
  replaces: string | null;
}

/** The result was changed by somebody else since it was seen. */
export class ResultChangedError extends Error {
  override readonly name = "ResultChangedError";
  constructor() {
    super("Somebody changed the result meanwhile. Look at it, then save again to put yours in its place.");
  }
}

const isOutdated = (error: unknown) => error instanceof ProblemError && error.code === "precondition_failed";

/** Saves what a dispatch came to. Other changes of the task do not hinder it; a changed result does. */
export const useSaveAnswer = (dispatch_id: string) => {
  const client = useClient();
  const queries = useQueryClient();
  const save = async ({ task, patch, replaces }: AnswerSaving): Promise<Task> => {
    if (task.result !== replaces) throw new ResultChangedError();
    const headers = { "if-match": `"${task.version}"` };
    try {
      return await client.updateTask({ params: { id: task.id }, headers, body: { ...patch, dispatch_id } });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      const newer = await client.getTask({ params: { id: task.id } });
      queries.setQueryData(taskKey(task.id), newer);
      return save({ task: newer, patch, replaces });
    }
  };
  return useMutation({
    mutationFn: save,
    onSuccess: (task) => queries.setQueryData(taskKey(task.id), task),
    onSettled: useRefresh(),
  });
};

export const useFinishDispatch = (id: string) => {
  const client = useClient();
  return useMutation({ mutationFn: () => client.finishDispatch({ params: { id } }), onSettled: useRefresh() });
};

export const useReleaseDispatch = (id: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: (reason: string) => client.releaseDispatch({ params: { id }, body: { reason: reason || null } }),
    onSettled: useRefresh(),
  });
};

export interface NoteWriting {
  text: string;
  /** Fresh for each note, so that one sent twice is left once. */
  key: string;
}

/** `dispatch_id` is of whoever works on the task; somebody who no longer does leaves a note without. */
export const useLeaveNote = (task: string, dispatch_id?: string) => {
  const client = useClient();
  return useMutation({
    mutationFn: ({ text, key }: NoteWriting) =>
      client.createNote({
        params: { id: task },
        headers: { "idempotency-key": key },
        body: { text, ...(dispatch_id && { dispatch_id }) },
      }),
    onSuccess: useRefresh(),
  });
};

export const useCreateFollowUp = () => {
  const client = useClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: TaskCreate; key: string }) =>
      client.createTask({ body, headers: { "idempotency-key": key } }),
    onSuccess: useRefresh(),
  });
};
