// Tasks: what they hold, how they are created, changed, listed and removed (D-12 to D-16).
import Type, { type Static } from "typebox";
import { Actor } from "./actor.ts";
import { AssignedAgentType } from "./agent-types.ts";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
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

export const GitLink = Type.Object({
  url: Type.String(),
  kind: oneOf(["issue", "pull_request"]),
  owner: Type.String(),
  repo: Type.String(),
  number: Count,
});
export type GitLink = Static<typeof GitLink>;

export const GitState = Type.Object({
  kind: oneOf(["issue", "pull_request"]),
  state: oneOf(["open", "closed", "merged", "unreadable"]),
  draft: Type.Boolean(),
  title: Type.String(),
  labels: Type.Array(Type.String()),
  html_url: Type.String(),
  updated_at: nullable(Instant),
  synced_at: Instant,
});
export type GitState = Static<typeof GitState>;

const Title = text(1, maxTitleCharacters);
const Prompt = text(1, maxPromptCharacters, { description: "What the worker is asked to do" });
const Priority = Type.Integer({
  minimum: minPriority,
  maximum: maxPriority,
  description: "Higher goes first",
});
const Labels = Type.Array(text(1, 50), { maxItems: maxLabels, uniqueItems: true });
const Assignee = text(1, 255);
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
  parent_id: nullable(Uuid),
  root_id: Uuid,
  depth: Count,
  git_link: nullable(GitLink),
  git_state: nullable(GitState),
  input_tokens: Count,
  output_tokens: Count,
  dispatch_count: Count,
  current_dispatch_id: nullable(Uuid),
  executor: nullable(Type.String()),
  dispatched_at: nullable(Instant),
  dispatch_ended_at: nullable(Instant, { description: "Null while its worker runs" }),
  created_by: Actor,
  created_at: Instant,
  updated_at: Instant,
  queued_at: Instant,
  version: Count,
};

export const TaskSummary = named("TaskSummary", {
  ...summaryFields,
  prompt_excerpt: Type.String({ description: `First ${promptExcerptCharacters} characters of the prompt` }),
});
export type TaskSummary = Static<typeof TaskSummary>;

export const Task = named("Task", { ...summaryFields, prompt: Type.String(), result: nullable(Type.String()) });
export type Task = Static<typeof Task>;

export const TaskCreate = strict({
  prompt: Prompt,
  assignee_type: Type.Optional(nullable(oneOf(assigneeTypes))),
  assignee: Type.Optional(
    nullable(Assignee, { description: "Agent type id or `<organization>/<slug>`; for `user`, a person's name" }),
  ),
  priority: Type.Optional(Type.Integer({ ...Priority, default: 0 })),
  title: Type.Optional({ ...Title, description: "Defaults to the prompt's first line that is not empty, cut at 120" }),
  organization: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "Id or slug; needed without an agent type" }),
  ),
  labels: Type.Optional(Labels),
  parent_id: Type.Optional(nullable(Uuid)),
  git_link: Type.Optional(GitLinkUrl),
});
export type TaskCreate = Static<typeof TaskCreate>;

export const maxBulkTasks = 500;
export const TaskBulk = strict({ tasks: Type.Array(TaskCreate, { minItems: 1, maxItems: maxBulkTasks }) });
export type TaskBulk = Static<typeof TaskBulk>;

export const TaskPatch = strict({
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
  dispatch_id: Type.Optional({
    ...Uuid,
    description: "The dispatch this comes from: refused once another has followed it",
  }),
});
export type TaskPatch = Static<typeof TaskPatch>;

export const taskSorts = ["-created_at", "created_at", "queue"] as const;

const OrganizationFilter = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
  maxItems: 100,
  description: "Ids or slugs; any of them",
});

const filters = {
  state: Type.Optional(oneOf(taskStates)),
  organization: Type.Optional(OrganizationFilter),
  assignee: Type.Optional(
    Type.Array(Assignee, {
      maxItems: 100,
      description: "Agent type ids, `<organization>/<slug>` or names of people; any of them",
    }),
  ),
  parent_id: Type.Optional(Uuid),
};
export type TaskFilters = Static<ReturnType<typeof strict<typeof filters>>>;

const TaskQuery = pageQuery({
  ...filters,
  sort: Type.Optional(
    oneOf(taskSorts, { default: "-created_at", description: "`queue` is the dispatch order, of the queue only" }),
  ),
});
export type TaskQuery = Static<typeof TaskQuery>;

/** Sent with PATCH, DELETE and requeue: refused with 412 unless it is the task's version. */
export const IfMatch = Type.Object({
  "if-match": Type.Optional(Type.String({ maxLength: 255, examples: ['"7"'] })),
});

const params = strict({ id: Uuid });
const tag = "Tasks";

export const taskOperations = {
  listTasks: operation({
    method: "GET",
    path: "/tasks",
    tag,
    summary: "List tasks",
    querystring: TaskQuery,
    response: { 200: page(ref(TaskSummary)) },
  }),
  createTask: operation({
    method: "POST",
    path: "/tasks",
    tag,
    summary: "Create a task; with an agent type it joins the queue",
    body: TaskCreate,
    response: { 201: ref(Task) },
    problems: ["unknown_assignee", "inactive_agent_type"],
  }),
  createTasks: operation({
    method: "POST",
    path: "/tasks/bulk",
    tag,
    summary: "Create up to 500 tasks, all or none; they join the queue in the order given",
    body: TaskBulk,
    response: { 201: Type.Object({ items: Type.Array(ref(Task), { description: "In the order given" }) }) },
    problems: ["unknown_assignee", "inactive_agent_type"],
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
    summary: "Change a task's own fields",
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
    summary: "Delete a task and its dispatches; there is no undo",
    params,
    headers: IfMatch,
    response: { 204: Type.Null() },
    problems: ["not_found", "precondition_failed"],
  }),
};
