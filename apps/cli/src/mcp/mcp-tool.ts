// What a tool is: words for a model that has never seen the service, schemas of what it takes and answers, and what it does.
import type { Client } from "@task-service/contract";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { WorkerSurroundings } from "../worker-surroundings.ts";

export interface ToolContext {
  readonly client: Client;
  /** The task this server was started for, if a worker started it (D-40). */
  readonly worker: WorkerSurroundings;
}

/** What a call does to the service, as clients are told before they make it. */
export type Effect = "reads" | "adds" | "replaces";

export interface Tool {
  readonly name: string;
  /** For people who are asked whether it may be called. */
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly inputSchema: TObject;
  readonly outputSchema: TObject;
  /** The fields of its answer that hold what others wrote: the answer begins with a notice that says so. */
  readonly quotes?: string;
  /** Called with checked arguments only; resolves to what `outputSchema` describes. */
  readonly call: (context: ToolContext, given: never) => Promise<object>;
}

/** Ties the types of arguments and answer to the schemas that describe them. */
export const tool = <I extends TObject, O extends TObject>(definition: {
  name: string;
  title: string;
  description: string;
  effect: Effect;
  inputSchema: I;
  outputSchema: O;
  quotes?: string;
  call: (context: ToolContext, given: Static<I>) => Promise<Static<O>>;
}): Tool => definition as Tool;

/** The model can mend this; the message says how. */
export class ToolUseError extends Error {
  override readonly name = "ToolUseError";
}

/** The task that was named, or the worker's own. */
export const taskIdFor = ({ worker }: ToolContext, id: string | undefined): string => {
  const found = id ?? worker.taskId;
  if (!found) {
    throw new ToolUseError(
      "id is missing: you are not working on a task of the service, so name one (see list_tasks).",
    );
  }
  return found;
};

/** Names the worker's dispatch on its own task, so that it cannot overwrite whoever followed it. */
export const ownDispatch = ({ worker }: ToolContext, taskId: string): { dispatch_id?: string } =>
  worker.dispatchId && worker.taskId === taskId ? { dispatch_id: worker.dispatchId } : {};

/** A field of the contract that may be left out, described for a model. */
export const optional = <S extends TSchema>(schema: S, description: string) =>
  Type.Optional({ ...schema, description });
