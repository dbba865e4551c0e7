// The tools that find and read tasks.
import { nullable, strict, taskListOperations, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, taskIdFor, tool } from "./mcp-tool.ts";
import { assigneeFilter } from "./near-agent-types.ts";
import { taskAnswer, taskFields, taskPage } from "./task-answer.ts";
import { OptionalTaskId } from "./task-tools.ts";
import { Cut, cutText, MaxCharacters } from "./text-cut.ts";

const shown = 20;

export const getTask = tool({
  name: "get_task",
  title: "Read a task",
  description:
    "Reads one task: prompt, result, state, who it is for, what it follows up on, labels, linked issue or pull request, tokens. The service does not know whether work is good or complete: `result` says what came of it, and dispatch_ended_at that the worker's run is over.",
  effect: "reads",
  inputSchema: strict({ id: OptionalTaskId, max_characters: MaxCharacters }),
  outputSchema: Type.Object({
    ...taskFields,
    prompt: Type.String({ description: "What its worker was asked to do" }),
    result: nullable(Type.String(), { description: "What came of the work; null until somebody sets it" }),
    created_by: Type.String(),
    executor: nullable(Type.String(), { description: "The program that took it; null while it is queued" }),
    current_dispatch_id: nullable(Uuid, { description: "Its latest run; null while it is queued" }),
    dispatch_count: Type.Integer({ description: "How often it was handed to a worker" }),
    input_tokens: Type.Integer({ description: "Of all its runs" }),
    output_tokens: Type.Integer({ description: "Of all its runs" }),
    git_link: nullable(Type.String(), { description: "Address of the issue or pull request it is about" }),
    git_state: nullable(Type.String(), { description: "Whether that is open, closed, merged or unreadable" }),
    cut: Cut,
  }),
  quotes: "title, prompt (unless it is your own task's), result, labels and names",
  call: async (context, { id, max_characters }) => {
    const task = await context.client.getTask({ params: { id: taskIdFor(context, id) } });
    const { executor, current_dispatch_id, dispatch_count, input_tokens, output_tokens } = task;
    const cut: string[] = [];
    const shorten = (name: string, text: string): string => cutText(name, text, cut, max_characters);
    return {
      ...taskAnswer(task),
      prompt: shorten("prompt", task.prompt),
      result: task.result === null ? null : shorten("result", task.result),
      ...{ executor, current_dispatch_id, dispatch_count, input_tokens, output_tokens },
      created_by: task.created_by.name,
      git_link: task.git_link?.url ?? null,
      git_state: task.git_state?.state ?? null,
      cut,
    };
  },
});

const { properties } = taskListOperations.listTasks.querystring;

export const listTasks = tool({
  name: "list_tasks",
  title: "Find tasks",
  description:
    "Finds tasks by filters that must all hold; newest first unless `sort` says otherwise. To see what became of tasks you created, give parent_id (your own task's id) or root_id. Answers no prompts and results: get_task reads them.",
  effect: "reads",
  inputSchema: strict({
    ...properties,
    organization: optional(properties.organization, "Slugs or ids; any of them"),
    state: optional(
      properties.state,
      "`queued`: waits, also for people; `dispatched`: was handed to a worker (with live: false, its run is over)",
    ),
    assignee_type: optional(properties.assignee_type, "Whether it is for agents or for a person"),
    parent_id: optional(properties.parent_id, "Follow-ups of this task, one step down"),
    created_by: optional(properties.created_by, "Who created it, by the subject of their access token"),
    sort: optional(properties.sort, "`queue` is the order in which waiting tasks go; newest first if left out"),
    limit: optional(properties.limit, `How many to answer; ${shown} if left out`),
  }),
  outputSchema: taskPage,
  quotes: "title, labels and names",
  call: async ({ client }, { limit = shown, assignee, ...query }) => {
    const filters = { ...query, ...(await assigneeFilter(client, assignee)) };
    const { items, next_cursor } = await client.listTasks({ query: { limit, ...filters } });
    return { items: items.map(taskAnswer), next_cursor };
  },
});
