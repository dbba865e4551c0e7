// Tasks: what they hold, how they are created, changed and removed (D-12 to D-15).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { AssignedAgentType } from "./agent-types.ts";
import { IdempotencyKey, idempotencyProblems } from "./idempotency.ts";
import { operation } from "./operation.ts";
import { Count, Instant, named, nullable, oneOf, ref, strict, text, Uuid } from "./schema.ts";

export const maxPromptCharacters = 262_144;
export const maxResultCharacters = 262_144;
export const maxTitleCharacters = 200;
export const maxLabels = 20;
export const minPriority = -32_768;
export const maxPriority = 32_767;
export const promptExcerptCharacters = 300;

export const taskStates = ["queued", "dispatched"] as const;
export type TaskState = (typeof taskStates)[number];

export const assigneeTypes = ["agent", "user"] as const;
export type AssigneeType = (typeof assigneeTypes)[number];

export const gitStates = ["open", "closed", "merged", "unreadable"] as const;

export const GitLink = Type.Object({
  url: Type.String(),
  kind: oneOf(["issue", "pull_request"]),
  owner: Type.String(),
  repo: Type.String(),
  number: Count,
});
export type GitLink = Static<typeof GitLink>;

export const GitState = Type.Object({
  kind: oneOf(["issue", "pull_request"], { description: "As the git host says, whatever the link is called" }),
  state: oneOf(gitStates, {
    description: "`unreadable`: gone, or the service may not read it; the other fields are what was known last",
  }),
  draft: Type.Boolean(),
  title: Type.String({ description: "Empty if it was never read" }),
  labels: Type.Array(Type.String()),
  html_url: Type.String(),
  updated_at: nullable(Instant, { description: "The git host's; null if it was never read" }),
  synced_at: { ...Instant, description: "When this was read or delivered last" },
});
export type GitState = Static<typeof GitState>;

const Title = text(1, maxTitleCharacters);
const Prompt = text(1, maxPromptCharacters, { description: "What the worker is asked to do" });
export const Priority = Type.Integer({
  minimum: minPriority,
  maximum: maxPriority,
  description: "Higher goes first",
});
const Labels = Type.Array(text(1, 50), { maxItems: maxLabels, uniqueItems: true });
export const Assignee = text(1, 255);
const GitLinkUrl = nullable(Type.String({ maxLength: 2048 }), {
  description: "Address of an issue or pull request on the git host",
});

const summaryFields = {
  id: Uuid,
  organization_id: Uuid,
  organization_slug: Type.String(),
  title: Type.String(),
  priority: Type.Integer(),
  assignee_type: nullable(oneOf(assigneeTypes)),
  assignee: nullable(Type.String(), { description: "Agent type id, or free text naming a person" }),
  agent_type: AssignedAgentType,
  state: oneOf(taskStates),
  needs_attention: Type.Boolean({ description: "Lost too often; waits for someone to requeue it" }),
  labels: Type.Array(Type.String()),
  parent_id: nullable(Uuid, { description: "The task it follows up on; null too once that was deleted" }),
  root_id: { ...Uuid, description: "Where its line of follow-ups began: its own id if it follows up on none" },
  depth: { ...Count, description: "Follow-ups from its root to it" },
  git_link: nullable(GitLink),
  git_state: nullable(GitState, {
    description:
      "The issue or pull request it is linked to, as the git host tells; null until it was read. It raises no `version`.",
  }),
  input_tokens: { ...Count, description: "Of all its dispatches, cached input included" },
  output_tokens: { ...Count, description: "Of all its dispatches" },
  dispatch_count: Count,
  current_dispatch_id: nullable(Uuid, { description: "Its latest dispatch; null while queued, as the next three" }),
  executor: nullable(Type.String()),
  dispatched_at: nullable(Instant),
  dispatch_ended_at: nullable(Instant, { description: "Null while its worker runs" }),
  created_by: Actor,
  created_at: Instant,
  updated_at: Instant,
  queued_at: { ...Instant, description: "When it was queued last" },
  version: { ...Count, description: "Rises with every change of its own fields, state or dispatch; its `ETag`" },
};

export const TaskSummary = named("TaskSummary", {
  ...summaryFields,
  prompt_excerpt: Type.String({ description: `First ${promptExcerptCharacters} characters of the prompt` }),
});
export type TaskSummary = Static<typeof TaskSummary>;

export const Task = named("Task", { ...summaryFields, prompt: Type.String(), result: nullable(Type.String()) });
export type Task = Static<typeof Task>;

export const TaskCreate = strict(
  {
    prompt: Prompt,
    assignee_type: Type.Optional(
      nullable(oneOf(assigneeTypes), { description: "Given together with `assignee`; null for nobody" }),
    ),
    assignee: Type.Optional(
      nullable(Assignee, { description: "Agent type id or `<organization>/<slug>`; for `user`, a person's name" }),
    ),
    priority: Type.Optional(Type.Integer({ ...Priority, default: 0 })),
    title: Type.Optional({
      ...Title,
      description: "Defaults to the prompt's first line that is not empty, cut at 120",
    }),
    organization: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: "Id or slug; needed without an agent type" }),
    ),
    labels: Type.Optional(Labels),
    parent_id: Type.Optional(nullable(Uuid, { description: "The task this one follows up on; it never changes" })),
    git_link: Type.Optional(GitLinkUrl),
  },
  { title: "TaskCreate" },
);
export type TaskCreate = Static<typeof TaskCreate>;

export const maxBulkTasks = 500;
export const TaskBulk = strict(
  { tasks: Type.Array(TaskCreate, { minItems: 1, maxItems: maxBulkTasks }) },
  { title: "TaskBulk" },
);
export type TaskBulk = Static<typeof TaskBulk>;

const ownFields = {
  title: Type.Optional(Title),
  prompt: Type.Optional(Prompt),
  priority: Type.Optional(Priority),
  assignee_type: Type.Optional(nullable(oneOf(assigneeTypes))),
  assignee: Type.Optional(nullable(Assignee)),
  labels: Type.Optional(Labels),
  git_link: Type.Optional(GitLinkUrl),
  result: Type.Optional(nullable(text(0, maxResultCharacters))),
  input_tokens: Type.Optional(Count),
  output_tokens: Type.Optional(Count),
};

/** A patch that comes from no dispatch in particular. */
export const OwnFieldsPatch = strict(ownFields, { title: "TaskFieldsPatch" });

export const TaskPatch = strict(
  {
    ...ownFields,
    dispatch_id: Type.Optional({
      ...Uuid,
      description: "The dispatch this comes from: refused once another has followed it",
    }),
  },
  { title: "TaskPatch" },
);
export type TaskPatch = Static<typeof TaskPatch>;

/** Sent with PATCH, DELETE and requeue: refused with 412 unless it is the task's version. */
export const IfMatch = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      maxLength: 255,
      description: "The `ETag` of the task as you know it; refused if it has changed since",
      examples: ['"7"'],
    }),
  ),
});

const params = strict({ id: { ...Uuid, description: "Id of the task" } });
const tag = "Tasks";
const creationProblems = [
  "unknown_assignee",
  "inactive_agent_type",
  "follow_up_limit",
  ...idempotencyProblems,
] as const;

export const taskOperations = {
  createTask: operation({
    method: "POST",
    path: "/tasks",
    tag,
    summary: "Create a task",
    description:
      "Only `prompt` is needed, and `organization` where no agent type is assigned. With an agent type it joins the queue.",
    headers: IdempotencyKey,
    body: TaskCreate,
    response: { 201: ref(Task) },
    problems: creationProblems,
  }),
  createTasks: operation({
    method: "POST",
    path: "/tasks/bulk",
    tag,
    summary: "Create many tasks",
    description:
      "Up to 500, all or none; they join the queue in the order given. Pointers in `errors` begin `/tasks/<n>`.",
    headers: IdempotencyKey,
    body: TaskBulk,
    response: { 201: Type.Object({ items: Type.Array(ref(Task)) }, { description: "Created, in the order given." }) },
    problems: creationProblems,
  }),
  getTask: operation({
    method: "GET",
    path: "/tasks/:id",
    tag,
    summary: "Read a task",
    params,
    response: { 200: ref(Task) },
    problems: ["not_found"],
  }),
  updateTask: operation({
    method: "PATCH",
    path: "/tasks/:id",
    tag,
    summary: "Change a task",
    description:
      "Merge-patch. Prompt and assignee only while no dispatch is live. Token counts are totals of one dispatch, set, not added.",
    params,
    headers: IfMatch,
    body: TaskPatch,
    response: { 200: ref(Task) },
    problems: [
      "not_found",
      "already_dispatched",
      "stale_dispatch",
      "precondition_failed",
      "unknown_assignee",
      "inactive_agent_type",
    ],
  }),
  deleteTask: operation({
    method: "DELETE",
    path: "/tasks/:id",
    tag,
    summary: "Delete a task",
    description:
      "With its dispatches; a worker that has it is told. Its history stays, its follow-ups too. There is no undo.",
    params,
    headers: IfMatch,
    response: { 204: Type.Null() },
    problems: ["not_found", "precondition_failed"],
  }),
};
