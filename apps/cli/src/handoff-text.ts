// How a hand-over is shown to people: the task, who to be, and what was said before.
import type { Handoff } from "@task-service/contract";
import { assigneeText, printNotes } from "./task-text.ts";
import { print, printable, printFields, printSection, styled } from "./terminal.ts";

/** Prints all of it but the persona, unless `withPersona`. */
export const printHandoff = ({ task, dispatch, agent_type, notes }: Handoff, withPersona: boolean): void => {
  print(styled("bold", printable(task.title)));
  printFields([
    ["task", task.id],
    ["dispatch", dispatch.id],
    ["for", assigneeText(task)],
    ["attempt", String(dispatch.attempt)],
    ["lease", dispatch.lease_expires_at && `until ${dispatch.lease_expires_at}`],
    ["follows up on", task.parent_id],
    ["linked to", task.git_link?.url],
  ]);
  if (withPersona) printSection(`Persona: ${printable(agent_type.name)}`, agent_type.body);
  printNotes(notes);
  printSection("Prompt", task.prompt);
};
