// Finding tasks: the filters of a list, its orders, and how many there are (D-16, D-39).
import Type, { type Static } from "typebox";
import { operation } from "./operation.ts";
import { page, pageQuery } from "./pagination.ts";
import { Count, named, oneOf, ref, strict, text, Uuid } from "./schema.ts";
import { Assignee, assigneeTypes, gitStates, maxLabels, Priority, TaskSummary, taskStates } from "./tasks.ts";

export const taskSorts = ["-created_at", "created_at", "-updated_at", "queue"] as const;
export const maxQueryCharacters = 200;
/** No queue is as long. */
export const maxFromPosition = 1_000_000_000;
/** Counts that no counter keeps go no further. */
export const maxCountedTasks = 10_000;

const filters = {
  state: Type.Optional(oneOf(taskStates, { description: "Tasks of people are `queued` too" })),
  live: Type.Optional(Type.Boolean({ description: "Whether a worker has it now" })),
  organization: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      maxItems: 100,
      description: "Ids or slugs; any of them",
    }),
  ),
  assignee_type: Type.Optional(oneOf(assigneeTypes)),
  assignee: Type.Optional(
    Type.Array(Assignee, {
      maxItems: 100,
      description: "Agent type ids, `<organization>/<slug>` or names of people; any of them",
    }),
  ),
  label: Type.Optional(Type.Array(text(1, 50), { maxItems: maxLabels, description: "Any of them" })),
  parent_id: Type.Optional({ ...Uuid, description: "Its follow-ups" }),
  root_id: Type.Optional({ ...Uuid, description: "The task itself and all that followed from it" }),
  created_by: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "The `sub` of its creator" })),
  needs_attention: Type.Optional(Type.Boolean({ description: "Lost too often; waits for someone to requeue it" })),
  git_state: Type.Optional(oneOf(gitStates, { description: "Of the issue or pull request it is linked to" })),
  priority_min: Type.Optional({ ...Priority, description: "So much or more" }),
  priority_max: Type.Optional({ ...Priority, description: "So much or less" }),
  q: Type.Optional(
    text(1, maxQueryCharacters, {
      description:
        "Words that all occur in the title or the first 8,192 characters of the prompt, the last one as a beginning; or a task's id",
    }),
  ),
};
export type TaskFilters = Static<ReturnType<typeof strict<typeof filters>>>;

const TaskQuery = pageQuery({
  ...filters,
  sort: Type.Optional(
    oneOf(taskSorts, { default: "-created_at", description: "`queue` is the order of dispatch, of the queue only" }),
  ),
  from_position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxFromPosition,
      description:
        "The page begins with the task that so many executors would have to take: 1 is the next one. Only with `sort=queue`, without filters and without `cursor`; read on with `next_cursor` alone",
    }),
  ),
});
export type TaskQuery = Static<typeof TaskQuery>;

const CountQuery = strict(filters);
export type CountQuery = Static<typeof CountQuery>;

export const TaskCount = named("TaskCount", {
  count: Count,
  exact: Type.Boolean({ description: `False at ${maxCountedTasks.toLocaleString("en")}: there are more` }),
});
export type TaskCount = Static<typeof TaskCount>;

const tag = "Tasks";

export const taskListOperations = {
  listTasks: operation({
    method: "GET",
    path: "/tasks",
    tag,
    summary: "List tasks",
    description:
      "Without `prompt` and `result`, but with the beginning of the prompt. Filters that are given must all hold.",
    querystring: TaskQuery,
    response: { 200: page(ref(TaskSummary)) },
  }),
  countTasks: operation({
    method: "GET",
    path: "/tasks/count",
    tag,
    summary: "Count tasks",
    description:
      "Exact to 10,000 for any filter, and always for state, live, organization, agent type and priority alone or together.",
    querystring: CountQuery,
    response: { 200: ref(TaskCount) },
  }),
};
