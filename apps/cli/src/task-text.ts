// How a task is shown to people: one line in a table, or all of it.
import type { Note, Position, Task, TaskSummary } from "@task-service/contract";
import { type Column, print, printable, printFields, printSection, styled } from "./terminal.ts";

type Shown = Task | TaskSummary;

export const assigneeText = ({ agent_type, assignee, assignee_type, organization_slug }: Shown): string => {
  if (agent_type) return `${organization_slug}/${agent_type.slug}`;
  return assignee_type === "user" && assignee ? assignee : "nobody";
};

/** Its state, and what is special about it. */
export const stateText = ({ state, needs_attention, dispatch_ended_at }: Shown): string => {
  if (needs_attention) return "needs attention";
  return state === "dispatched" && dispatch_ended_at ? "dispatched, ended" : state;
};

const stateStyle = ({ state, needs_attention, dispatch_ended_at }: Shown) => {
  if (needs_attention) return "red";
  if (state === "queued") return "yellow";
  return dispatch_ended_at ? "dim" : "green";
};

export const taskColumns: readonly Column<TaskSummary>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "dim" },
  { title: "STATE", text: stateText, style: stateStyle },
  { title: "PRIORITY", text: ({ priority }) => String(priority) },
  { title: "FOR", text: assigneeText },
  { title: "TITLE", text: ({ title }) => title },
];

/** What a change made of a task, in a line. */
export const printTaskLine = (what: string, task: Task): void => {
  const state = styled(stateStyle(task), stateText(task));
  print(`${what} ${task.id}  ${state}  ${printable(`for ${assigneeText(task)}: ${task.title}`)}`);
};

const positionText = ({ position, reasons }: Position): string =>
  [
    position === null ? "not in the queue" : `${position} in the queue`,
    ...reasons.map((one) => one.replaceAll("_", " ")),
  ].join(", ");

/** A task whole, with where it stands and its newest notes. */
export const printTask = (task: Task, position: Position | undefined, notes: readonly Note[]): void => {
  print(styled("bold", printable(task.title)));
  printFields([
    ["id", task.id],
    ["state", stateText(task)],
    ["position", position && positionText(position)],
    ["for", assigneeText(task)],
    ["priority", String(task.priority)],
    ["labels", task.labels.join(", ")],
    ["follows up on", task.parent_id],
    ["linked to", task.git_link?.url],
    ["executor", task.executor],
    ["dispatch", task.current_dispatch_id],
    ["dispatched", task.dispatched_at],
    ["ended", task.dispatch_ended_at],
    ["tokens", task.input_tokens + task.output_tokens > 0 ? `${task.input_tokens} in, ${task.output_tokens} out` : ""],
    ["created", `${task.created_at} by ${task.created_by.name}`],
    ["version", String(task.version)],
  ]);
  printSection("Prompt", task.prompt);
  if (task.result) printSection("Result", task.result);
  printNotes(notes);
};

/** Each with who and when; as they come. */
export const printNotes = (notes: readonly Pick<Note, "actor" | "at" | "text">[]): void => {
  for (const { actor, at, text } of notes) printSection(`Note by ${printable(actor.name)}, ${at}`, text);
};
