// Says each event of a task's history in plain words (D-28).
import type { Event, GitLink } from "@task-service/contract";
import { gitReference } from "../../lib/git-words.ts";
import { countWord } from "../../lib/task-words.ts";

export interface Change {
  old: unknown;
  new: unknown;
}

/** Names an assignee: an agent type by its id, anything else as it stands. */
export type NameAssignee = (assignee: unknown) => string;

/** Long text stands in the history as its beginning. */
export const eventText = (value: unknown): string =>
  typeof value === "object" && value !== null && "text" in value ? `${value.text} …` : String(value ?? "");

/** Isolated, so that its direction ends with it. */
const quoted = (value: unknown) => `“\u2068${eventText(value)}\u2069”`;

const labelsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const labelWords = (change: Change): string => {
  const [before, after] = [labelsOf(change.old), labelsOf(change.new)];
  const words = (verb: string, labels: string[]) =>
    labels.length > 0 ? [`${verb} ${labels.map(quoted).join(", ")}`] : [];
  const added = words(
    "added the label",
    after.filter((label) => !before.includes(label)),
  );
  const removed = words(
    "removed the label",
    before.filter((label) => !after.includes(label)),
  );
  return [...added, ...removed].join(" and ") || "put the labels into another order";
};

const linked = (value: unknown) => (value ? gitReference(value as GitLink) : "nothing");

const count = (change: Change | undefined) => countWord(Number(change?.new ?? 0));

/** What an update changed, by field. */
export const eventChanges = ({ type, data }: Event): Record<string, Change> =>
  type === "task.updated" ? ((data["changes"] ?? {}) as Record<string, Change>) : {};

const textWords = (name: string, change: Change) => {
  if (change.old === null) return `wrote the ${name}`;
  return change.new === null ? `removed the ${name}` : `changed the ${name}`;
};

const changeWords = (field: string, changes: Record<string, Change>, nameAssignee: NameAssignee): string | null => {
  const change = changes[field] as Change;
  switch (field) {
    case "title":
      return `changed the title from ${quoted(change.old)} to ${quoted(change.new)}`;
    case "priority":
      return `changed the priority from ${change.old} to ${change.new}`;
    case "assignee":
      return `assigned it to ${nameAssignee(change.new)} (was ${nameAssignee(change.old)})`;
    case "labels":
      return labelWords(change);
    case "prompt":
    case "result":
      return textWords(field, change);
    case "git_link":
      return `linked it to ${linked(change.new)} (was ${linked(change.old)})`;
    case "input_tokens":
      return "output_tokens" in changes ? null : `reported ${count(change)} tokens in`;
    case "output_tokens": {
      const input = changes["input_tokens"];
      return `reported ${input ? `${count(input)} tokens in and ` : ""}${count(change)} ${input ? "" : "tokens "}out`;
    }
    default:
      return null;
  }
};

const updateWords = (event: Event, nameAssignee: NameAssignee): string => {
  const changes = eventChanges(event);
  const words = Object.keys(changes).flatMap((field) => changeWords(field, changes, nameAssignee) ?? []);
  return words.join(", ") || "changed it";
};

const mirrorWords = ({ kind, state, previous_state }: Event["data"]): string => {
  const what = kind === "pull_request" ? "pull request" : "issue";
  if (state === null) return `forgot the linked ${what}: another repository has its name now`;
  if (state === "unreadable") return `could not read the linked ${what}`;
  if (previous_state === state) return `saw the linked ${what} change`;
  return `saw that the linked ${what} is ${state}`;
};

/** What the actor did, to follow their name: "changed the priority from 0 to 50". */
export const eventWords = (event: Event, nameAssignee: NameAssignee): string => {
  const { type, data } = event;
  const reason = data["reason"] ? `: ${eventText(data["reason"])}` : "";
  const attempt = typeof data["attempt"] === "number" && data["attempt"] > 1 ? `, attempt ${data["attempt"]}` : "";
  switch (type) {
    case "task.created":
      return "created it";
    case "task.updated":
      return updateWords(event, nameAssignee);
    case "task.dispatched":
      return `took it as ${data["executor"] ?? "an executor"}${attempt}`;
    case "task.finished":
      return "reported that its worker finished";
    case "task.released":
      return `gave it back to the queue${reason}`;
    case "task.requeued":
      return `returned it to the queue${reason}`;
    case "task.expired":
      return "returned it to the queue: its lease expired";
    case "task.lost":
      return "returned it to the queue: its executor no longer had it";
    case "task.disconnected":
      return "returned it to the queue: its executor went away";
    case "task.deleted":
      return "deleted it";
    case "task.noted":
      return "left a note";
    case "task.mirrored":
      return mirrorWords(data);
    default:
      return type.replace(".", " ");
  }
};
