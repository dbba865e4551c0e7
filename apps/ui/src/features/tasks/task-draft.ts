// A task being written: its fields as the form holds them, kept in this tab until the task exists.
import type { TaskCreate } from "@task-service/contract";

export type AssigneeKind = "agent" | "user" | "nobody";

export interface TaskDraft {
  assignee_type: AssigneeKind;
  /** An agent type's id, or a person's name. */
  assignee: string;
  /** Asked for only when no agent type brings it. */
  organization: string;
  priority: number;
  title: string;
  prompt: string;
  labels: string[];
}

export const draftFields = [
  "assignee_type",
  "assignee",
  "organization",
  "priority",
  "title",
  "prompt",
  "labels",
] as const satisfies readonly (keyof TaskDraft)[];

const emptyDraft: TaskDraft = {
  assignee_type: "agent",
  assignee: "",
  organization: "",
  priority: 0,
  title: "",
  prompt: "",
  labels: [],
};

const storageKey = (parent: string | undefined) => `task-draft/${parent ?? ""}`;

/** The draft of this tab: one for new tasks, one for the follow-ups of each parent. */
export const loadDraft = (parent: string | undefined): TaskDraft => {
  const kept = sessionStorage.getItem(storageKey(parent));
  return kept ? { ...emptyDraft, ...(JSON.parse(kept) as Partial<TaskDraft>) } : emptyDraft;
};

export const keepDraft = (parent: string | undefined, draft: TaskDraft): void =>
  sessionStorage.setItem(storageKey(parent), JSON.stringify(draft));

export const forgetDraft = (parent: string | undefined): void => sessionStorage.removeItem(storageKey(parent));

/** What each field still lacks, by field. */
export const draftProblems = ({ assignee_type, assignee, organization, prompt }: TaskDraft) => ({
  assignee:
    assignee_type === "nobody" || assignee.trim()
      ? null
      : assignee_type === "agent"
        ? "Choose an agent type."
        : "Name a person.",
  organization: assignee_type === "agent" || organization ? null : "Choose an organization.",
  prompt: prompt.trim() ? null : "Say what is to be done.",
});

/** The request for a draft: what was left empty is left out. */
export const draftRequest = (draft: TaskDraft, parent: string | undefined): TaskCreate => {
  const { assignee_type, assignee, organization, priority, title, prompt, labels } = draft;
  return {
    prompt,
    priority,
    ...(assignee_type === "nobody" ? { assignee_type: null } : { assignee_type, assignee: assignee.trim() }),
    ...(assignee_type !== "agent" && { organization }),
    ...(title.trim() && { title: title.trim() }),
    ...(labels.length > 0 && { labels }),
    ...(parent && { parent_id: parent }),
  };
};
