// The words in braces that a command's arguments may hold, and what each stands for.
import { join } from "node:path";
import type { Handoff } from "@task-service/contract";
import type { Command } from "./worker-process.ts";

const values: Record<string, (handoff: Handoff, directory: string) => string> = {
  prompt_file: (_, directory) => join(directory, "PROMPT.md"),
  persona_file: (_, directory) => join(directory, "PERSONA.md"),
  task_file: (_, directory) => join(directory, "TASK.json"),
  directory: (_, directory) => directory,
  task_id: ({ task }) => task.id,
  dispatch_id: ({ dispatch }) => dispatch.id,
  attempt: ({ dispatch }) => String(dispatch.attempt),
  agent_type: ({ agent_type }) => agent_type.slug,
  organization: ({ task }) => task.organization_slug,
  prompt: ({ task }) => task.prompt,
  persona: ({ agent_type }) => agent_type.body,
};

/** What somebody else wrote is never a part of an argument, where a shell might read it as a command. */
const wholeOnly = /^(?:--?[\w-]+=)?\{(?:prompt|persona)\}$/;
const placeholder = /\{\{([a-z_]+)\}\}|\{([a-z_]+)\}/g;

export const placeholderNames: readonly string[] = Object.keys(values);

/** What is wrong with a command's placeholders, or undefined. */
export const placeholderFault = (command: Command): string | undefined => {
  for (const argument of command) {
    for (const [found, , name] of argument.matchAll(placeholder)) {
      if (name === undefined) continue;
      if (!Object.hasOwn(values, name)) {
        const known = placeholderNames.map((one) => `{${one}}`).join(", ");
        return `${found} is none of ${known}; {${found}} stands for itself`;
      }
      if (/^(prompt|persona)$/.test(name) && !wholeOnly.test(argument)) {
        return `${found} must be an argument of its own, or stand behind --option=`;
      }
    }
  }
  return undefined;
};

/** The command for one task. `{{word}}` becomes `{word}`; braces round anything but a word are left as they are. */
export const fillPlaceholders = (command: Command, handoff: Handoff, directory: string): Command => {
  const fill = (argument: string): string =>
    argument.replace(placeholder, (found, escaped?: string, name = "") =>
      escaped === undefined ? (values[name]?.(handoff, directory) ?? found) : `{${escaped}}`,
    );
  const [file, ...args] = command;
  return [fill(file), ...args.map(fill)];
};
