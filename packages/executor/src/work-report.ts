// What a worker made, written to its task before its dispatch is finished (D-12, D-13).
import { type Client, type Handoff, ProblemError, type TaskPatch } from "@task-service/contract";

/** Token counts are totals of this dispatch. */
export interface WorkReport extends Pick<TaskPatch, "result" | "input_tokens" | "output_tokens"> {
  /** Whoever changed the task's result since the hand-over, the worker itself perhaps, knows better: theirs stays. */
  readonly isResultFallback?: boolean;
}

export type ReportClient = Pick<Client, "getTask" | "updateTask">;

const isChanged = (error: unknown): boolean => error instanceof ProblemError && error.code === "precondition_failed";

/** One attempt; rejects as the client does. A report without fields makes no request. */
export const sendReport = async (
  client: ReportClient,
  { task, dispatch }: Handoff,
  { isResultFallback = false, ...fields }: WorkReport,
  signal: AbortSignal,
): Promise<void> => {
  const params = { id: task.id };
  const patch = async (body: TaskPatch, version?: number): Promise<void> => {
    if (Object.values(body).every((value) => value === undefined)) return;
    const headers = version === undefined ? {} : { "if-match": `"${version}"` };
    await client.updateTask({ params, headers, body: { ...body, dispatch_id: dispatch.id }, signal });
  };
  if (!isResultFallback || fields.result === undefined) return patch(fields);

  for (let known = { version: task.version, result: task.result }; known.result === task.result; ) {
    try {
      return await patch(fields, known.version);
    } catch (error) {
      if (!isChanged(error)) throw error;
      // Something of the task changed, tokens or labels perhaps, and not always the result.
      known = await client.getTask({ params, signal });
    }
  }
  const { result: _, ...others } = fields;
  return patch(others);
};
