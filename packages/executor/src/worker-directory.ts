// The fresh directory a worker starts in, with its task, prompt and persona (D-40).
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Handoff } from "@task-service/contract";

/** Makes a directory under `parent` that only this user may enter, and returns its path. */
export const createWorkerDirectory = async (parent: string, { task, agent_type }: Handoff): Promise<string> => {
  const directory = await mkdtemp(join(parent, `task-${task.id}-`));
  const files = {
    "TASK.json": `${JSON.stringify(task, null, 2)}\n`,
    "PROMPT.md": task.prompt,
    "PERSONA.md": agent_type.body,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content, { mode: 0o600 });
  return directory;
};

/** Removes the directory and all that the worker left there. */
export const removeWorkerDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true, maxRetries: 3 });
