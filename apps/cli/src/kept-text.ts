// What somebody wrote outlives a refusal, a lost task and Ctrl-C: in a file for them alone.
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "./surroundings.ts";

/** Keeps `text`; resolves to the sentence that says where. */
export const keepText = async (text: string, what: string): Promise<string> => {
  const file = join(temporaryDirectory(), `task-service-${what}-${randomUUID()}.md`);
  await writeFile(file, text, { mode: 0o600 });
  return `What you wrote is kept in ${file}`;
};
