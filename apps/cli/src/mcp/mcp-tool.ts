// What a tool is: a name and a description for a model that has never seen the service, a schema, and what it does.
import type { Client } from "@task-service/contract";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { WorkerSurroundings } from "../worker-surroundings.ts";

export interface ToolContext {
  readonly client: Client;
  /** The task this server was started for, if a worker started it (D-40). */
  readonly worker: WorkerSurroundings;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: TObject;
  readonly isReadOnly: boolean;
  /** Called with checked arguments only; resolves to what the model is given as JSON. */
  readonly call: (context: ToolContext, given: never) => Promise<unknown>;
}

/** Ties the arguments' type to the schema that checks them. */
export const tool = <S extends TObject>(definition: {
  name: string;
  description: string;
  inputSchema: S;
  isReadOnly: boolean;
  call: (context: ToolContext, given: Static<S>) => Promise<unknown>;
}): Tool => definition;

/** The model can mend this; the message says how. */
export class ToolUseError extends Error {
  override readonly name = "ToolUseError";
}

/** The task that was named, or the worker's own. */
export const taskIdFor = ({ worker }: ToolContext, id: string | undefined): string => {
  const found = id ?? worker.taskId;
  if (!found) throw new ToolUseError("id is missing: you are not working on a task of the service, so name one.");
  return found;
};

/** Names the worker's dispatch on its own task, so that it cannot overwrite whoever followed it. */
export const ownDispatch = ({ worker }: ToolContext, taskId: string): { dispatch_id?: string } =>
  worker.dispatchId && worker.taskId === taskId ? { dispatch_id: worker.dispatchId } : {};

/** A field of the contract that may be left out, described for a model. */
export const optional = <S extends TSchema>(schema: S, description: string) =>
  Type.Optional({ ...schema, description });
