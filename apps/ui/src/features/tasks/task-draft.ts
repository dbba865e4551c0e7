// A task being written: its fields as the form holds them, what they lack, and the request they make.
import { maxPromptCharacters, type Task, type TaskCreate } from "@task-service/contract";
import type { Sent } from "../../lib/send-once.ts";
import { countWord } from "../../lib/task-words.ts";

export type AssigneeKind = "agent" | "user" | "nobody";

export interface TaskDraft {
  assignee_type: AssigneeKind;
  /** An agent type's id, or a person's name. */
  assignee: string;
  /** The agent type that the page's address had put there, or nothing: another one may have been chosen since. */
  asked_agent: string;
  /** Asked for only when no agent type brings it. */
  organization: string;
  priority: number;
  title: string;
  prompt: string;
  labels: string[];
  /** The id of a task, or nothing. */
  parent_id: string;
  /** An address, or nothing. */
  git_link: string;
}

export const draftFields = [
  "assignee_type",
  "assignee",
  "organization",
  "priority",
  "title",
  "prompt",
  "labels",
  "parent_id",
  "git_link",
] as const satisfies readonly (keyof TaskDraft)[];

export const emptyDraft: TaskDraft = {
  assignee_type: "agent",
  assignee: "",
  asked_agent: "",
  organization: "",
  priority: 0,
  title: "",
  prompt: "",
  labels: [],
  parent_id: "",
  git_link: "",
};

/** Another task like this one. */
export const draftLike = (task: Task): TaskDraft => ({
  ...emptyDraft,
  assignee_type: task.assignee_type ?? "nobody",
  assignee: task.assignee ?? "",
  organization: task.organization_slug,
  priority: task.priority,
  title: task.title,
  prompt: task.prompt,
  labels: task.labels,
  parent_id: task.parent_id ?? "",
  git_link: task.git_link?.url ?? "",
});

const said = ["title", "prompt", "git_link"] as const;

export const saysAnything = (draft: TaskDraft): boolean => said.some((field) => draft[field].trim() !== "");

/** For the next of several tasks: who does it and how soon stays, what `sent` said does not; what was typed since does. */
export const draftAfter = (sent: TaskDraft, now: TaskDraft): TaskDraft => ({
  ...now,
  ...Object.fromEntries(said.flatMap((field) => (now[field] === sent[field] ? [[field, ""]] : []))),
});

const promptProblem = (prompt: string): string | null => {
  if (!prompt.trim()) return "Say what is to be done.";
  const length = [...prompt].length;
  if (length <= maxPromptCharacters) return null;
  return `It may have ${countWord(maxPromptCharacters)} characters, and has ${countWord(length)}.`;
};

/** What each field still lacks, by field. */
export const draftProblems = ({ assignee_type, assignee, organization, prompt }: TaskDraft) => ({
  assignee:
    assignee_type === "nobody" || assignee.trim()
      ? null
      : assignee_type === "agent"
        ? "Choose an agent type."
        : "Name a person.",
  organization: assignee_type === "agent" || organization ? null : "Choose an organization.",
  prompt: promptProblem(prompt),
});

/** The request for a draft: what was left empty is left out. */
export const draftRequest = (draft: TaskDraft): TaskCreate => {
  const { assignee_type, assignee, organization, priority, title, prompt, labels, parent_id, git_link } = draft;
  return {
    prompt,
    priority,
    ...(assignee_type === "nobody" ? { assignee_type: null } : { assignee_type, assignee: assignee.trim() }),
    ...(assignee_type !== "agent" && { organization }),
    ...(title.trim() && { title: title.trim() }),
    ...(labels.length > 0 && { labels }),
    ...(parent_id && { parent_id }),
    ...(git_link.trim() && { git_link: git_link.trim() }),
  };
};

/** What a draft would send, to tell whether it is still what was sent. */
export const draftContent = (draft: TaskDraft): string => JSON.stringify(draftRequest(draft));

/** A draft as text, with the key it was sent with, if it was: after a reload it is sent again as the same task. */
export const keptText = (draft: TaskDraft, sent_with: string | null): string => JSON.stringify({ ...draft, sent_with });

/** A draft as it was kept; null if it cannot be read. */
export const readDraft = (kept: string): { draft: TaskDraft; sent: Sent | null } | null => {
  try {
    const { sent_with, ...fields } = JSON.parse(kept) as Partial<TaskDraft> & { sent_with?: string | null };
    const draft = { ...emptyDraft, ...fields };
    return { draft, sent: sent_with ? { content: draftContent(draft), key: sent_with } : null };
  } catch {
    return null;
  }
};
