// The tools that create, read and change tasks; inside a worker they mean its own task unless another is named.
import { strict, TaskCreate, TaskPatch, taskListOperations, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, ownDispatch, taskIdFor, tool } from "./mcp-tool.ts";

export const OptionalTaskId = Type.Optional({
  ...Uuid,
  description: "Id of the task; your own task (the one you were started for), if left out",
});

const { parent_id, assignee, assignee_type, ...createFields } = TaskCreate.properties;

export const createTask = tool({
  name: "create_task",
  description:
    "Creates a task in the shared queue, which another worker (an agent of the type you assign, or a person) will pick up in a process of its own. It sees nothing of your conversation: `prompt` must say all it needs. Use it to delegate, to ask for a review, or to follow up. Answers the task at once; nobody waits for it to be done. If you are working on a task, the new one becomes its follow-up (parent_id) unless you name another parent or null. A higher priority goes first.",
  inputSchema: strict({
    ...createFields,
    assignee: optional(
      assignee,
      "Who is to do it: an agent type as `<organization>/<slug>` (see list_agent_types) or by id; with assignee_type `user` a person's name",
    ),
    assignee_type: optional(assignee_type, "`agent` (the default when there is an assignee) or `user`"),
    parent_id: optional(parent_id, "The task this one follows up on; your own task, if left out; null for none"),
  }),
  isReadOnly: false,
  call: ({ client, worker }, given) => {
    const assigned = given.assignee && given.assignee_type === undefined ? { assignee_type: "agent" as const } : {};
    const parent = given.parent_id === undefined && worker.taskId ? { parent_id: worker.taskId } : {};
    return client.createTask({ body: { ...given, ...assigned, ...parent } });
  },
});

export const getTask = tool({
  name: "get_task",
  description:
    "Reads a task whole: prompt, result, state (`queued`: waits to be taken; `dispatched`: was handed to a worker, whose run is over if dispatch_ended_at is set), assignee, lineage (parent_id, root_id), labels, linked issue or pull request, token counts. The service tracks no completion: read `result` for what came of it.",
  inputSchema: strict({ id: OptionalTaskId }),
  isReadOnly: true,
  call: (context, { id }) => context.client.getTask({ params: { id: taskIdFor(context, id) } }),
});

const { dispatch_id, result, input_tokens, output_tokens, ...otherFields } = TaskPatch.properties;

export const updateTask = tool({
  name: "update_task",
  description:
    "Changes fields of a task; those you leave out stay as they are. Mostly used to report on your own task: set `result` to what came of your work, before you end. prompt and assignee can only be changed while nobody works on the task. Refused as stale if your task was meanwhile given to another worker: then stop working on it.",
  inputSchema: strict({
    id: OptionalTaskId,
    result: optional(result, "What came of the work, for people and for whoever follows up; Markdown"),
    input_tokens: optional(input_tokens, "Tokens read in this run so far: a total, not added to the last one"),
    output_tokens: optional(output_tokens, "Tokens written in this run so far: a total, not added"),
    ...otherFields,
    dispatch_id: optional(dispatch_id, "The run this comes from; yours, on your own task, if left out"),
  }),
  isReadOnly: false,
  call: (context, { id: named, ...fields }) => {
    const id = taskIdFor(context, named);
    return context.client.updateTask({ params: { id }, body: { ...ownDispatch(context, id), ...fields } });
  },
});

export const listTasks = tool({
  name: "list_tasks",
  description:
    "Finds tasks by filters that must all hold; newest first unless `sort` says otherwise. To see what became of tasks you created, give parent_id (your own task's id) or root_id. Answers {items, next_cursor} without prompts and results, but with the beginning of each prompt: get_task reads one whole.",
  inputSchema: taskListOperations.listTasks.querystring,
  isReadOnly: true,
  call: ({ client }, query) => client.listTasks({ query }),
});
