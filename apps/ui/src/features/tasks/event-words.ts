// Says each event of a task's history in plain words (D-28).
import type { Event } from "@task-service/contract";

interface Change {
  old: unknown;
  new: unknown;
}

/** Names an assignee: an agent type by its id, anything else as it stands. */
export type NameAssignee = (assignee: unknown) => string;

const quoted = (value: unknown) => `“${String(value)}”`;

const listed = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value.join(", ") : "none");

const changeWords = (field: string, change: Change, nameAssignee: NameAssignee): string | null => {
  switch (field) {
    case "title":
      return `changed the title from ${quoted(change.old)} to ${quoted(change.new)}`;
    case "priority":
      return `changed the priority from ${change.old} to ${change.new}`;
    case "assignee":
      return `assigned it to ${nameAssignee(change.new)} (was ${nameAssignee(change.old)})`;
    case "labels":
      return `set the labels to ${listed(change.new)}`;
    case "prompt":
      return "changed the prompt";
    case "result":
      return change.new === null ? "removed the result" : "wrote the result";
    case "git_link":
      return change.new === null ? "removed the git link" : "linked it to git";
    case "output_tokens":
      return "reported its tokens";
    default:
      return null;
  }
};

const updateWords = (data: Event["data"], nameAssignee: NameAssignee): string => {
  const changes = Object.entries((data["changes"] ?? {}) as Record<string, Change>);
  const words = changes.flatMap(([field, change]) => changeWords(field, change, nameAssignee) ?? []);
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
export const eventWords = ({ type, data }: Event, nameAssignee: NameAssignee): string => {
  const reason = typeof data["reason"] === "string" && data["reason"] ? `: ${data["reason"]}` : "";
  const attempt = typeof data["attempt"] === "number" && data["attempt"] > 1 ? `, attempt ${data["attempt"]}` : "";
  switch (type) {
    case "task.created":
      return "created it";
    case "task.updated":
      return updateWords(data, nameAssignee);
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
