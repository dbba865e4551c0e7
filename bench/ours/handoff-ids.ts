// Reads the ids of dispatches and tasks out of an answer without parsing its prompts and personas.
import type { Answer } from "./http-connection.ts";

export interface HandoffIds {
  dispatchId: string;
  taskId: string;
}

// A dispatch begins with its id and its task's; inside a prompt the quotes would be escaped.
const between = Buffer.from('","task_id":"');
const idLength = 36;
const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

/** In the order of the answer. */
export const handoffIdsIn = ({ body }: Answer): HandoffIds[] => {
  const ids: HandoffIds[] = [];
  for (let at = body.indexOf(between); at !== -1; at = body.indexOf(between, at + 1)) {
    const begin = at + between.length;
    const dispatchId = body.toString("latin1", at - idLength, at);
    const taskId = body.toString("latin1", begin, begin + idLength);
    if (!isId(dispatchId) || !isId(taskId)) throw new Error("An answer is not of the form that the bench reads.");
    ids.push({ dispatchId, taskId });
  }
  return ids;
};
