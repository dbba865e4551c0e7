// The tools that create and change tasks; inside a worker they mean its own task unless another is named.
import { nullable, strict, TaskCreate, TaskPatch, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, ownDispatch, taskIdFor, tool } from "./mcp-tool.ts";
import { assigneeFor, withNearNames } from "./near-agent-types.ts";
import { TaskAnswer, taskAnswer } from "./task-answer.ts";

export const OptionalTaskId = optional(
  Uuid,
  "Id of the task; your own task (the one you were started for), if left out",
);

const { labels, priority, ...createFields } = TaskCreate.properties;
const priorityText = "Higher goes first: 100 is urgent, 50 high, 0 normal, -50 low";

export const createTask = tool({
  name: "create_task",
  title: "Create a task",
  description:
    "Creates a task in the shared queue: a piece of work for a worker of the agent type you assign, or for a person. Use it to delegate, to ask for a review, to follow up. The worker is another process and sees nothing of your conversation: `prompt` must say all it needs, with ids of tasks and addresses. The answer is the task as it waits; nobody tells you when it is done, so do not wait: look later with get_task, or with list_tasks and parent_id. Inside a worker the new task is a follow-up of your own task, unless parent_id says otherwise. Each call creates another task: if a call failed without a clear refusal, look with list_tasks before you repeat it.",
  effect: "adds",
  inputSchema: strict({
    ...createFields,
    prompt: { ...createFields.prompt, description: "What is to be done, whole and by itself; Markdown" },
    assignee: optional(
      createFields.assignee,
      "Who is to do it: an agent type as list_agent_types answers it (`acme/reviewer`); with assignee_type `user` a person's name. Without one nobody takes the task",
    ),
    assignee_type: optional(
      createFields.assignee_type,
      "`agent`, which an assignee means if this is left out, or `user`",
    ),
    organization: optional(createFields.organization, "Slug or id; only needed without an agent type"),
    priority: optional(priority, `${priorityText}; 0 if left out`),
    labels: optional(labels, "Words to find it by"),
    parent_id: optional(
      createFields.parent_id,
      "The task this one follows up on; your own task, if left out; null for none. It never changes",
    ),
  }),
  outputSchema: TaskAnswer,
  call: async ({ client, worker }, { assignee, ...given }) => {
    const parent = given.parent_id === undefined && worker.taskId ? { parent_id: worker.taskId } : {};
    const fields = { ...given, ...parent };
    const assignee_type = given.assignee_type ?? "agent";
    if (!assignee || assignee_type === "user") {
      const assigned = assignee === undefined ? {} : { assignee };
      return taskAnswer(await client.createTask({ body: { ...fields, ...assigned } }));
    }
    return withNearNames(client, assignee, async () => {
      const named = { assignee_type, assignee: await assigneeFor(client, assignee, given.organization) };
      return taskAnswer(await client.createTask({ body: { ...fields, ...named } }));
    });
  },
});

const { dispatch_id, result, input_tokens, output_tokens, ...otherFields } = TaskPatch.properties;

export const updateTask = tool({
  name: "update_task",
  title: "Change a task",
  description:
    "Changes fields of a task, replacing what they held; those you leave out stay as they are. Mostly used to report on your own task: set `result` to what came of your work before you end. prompt and assignee can only be changed while no worker has the task. Refused as stale if your own task was meanwhile given to another worker: then stop working on it.",
  effect: "replaces",
  inputSchema: strict({
    id: OptionalTaskId,
    result: optional(result, "What came of the work, for people and for whoever follows up; Markdown; null removes it"),
    input_tokens: optional(input_tokens, "Tokens read in this run so far: a total, not added to the last one"),
    output_tokens: optional(output_tokens, "Tokens written in this run so far: a total, not added"),
    title: optional(otherFields.title, "A new title"),
    prompt: optional(otherFields.prompt, "A new prompt, whole"),
    priority: optional(otherFields.priority, priorityText),
    assignee: optional(
      otherFields.assignee,
      "An agent type as `<organization>/<slug>`, or a person's name; null for nobody",
    ),
    assignee_type: optional(
      otherFields.assignee_type,
      "Goes with assignee: `agent` (if left out), `user`, or null with a null assignee",
    ),
    labels: optional(otherFields.labels, "All its labels from now on"),
    git_link: otherFields.git_link,
    dispatch_id: optional(dispatch_id, "The run this comes from; yours, on your own task, if left out"),
  }),
  outputSchema: Type.Object({
    ...TaskAnswer.properties,
    result_characters: nullable(Type.Integer(), { description: "How long `result` is now; null if it has none" }),
    input_tokens: Type.Integer({ description: "Of all its runs" }),
    output_tokens: Type.Integer({ description: "Of all its runs" }),
  }),
  quotes: "title, labels and names",
  call: (context, { id: named, assignee, ...fields }) => {
    const { client } = context;
    const id = taskIdFor(context, named);
    return withNearNames(client, assignee ?? "", async () => {
      const isAgent = assignee && (fields.assignee_type ?? "agent") === "agent";
      const assigned = isAgent
        ? { assignee_type: "agent" as const, assignee: await assigneeFor(client, assignee) }
        : {};
      const nobody = assignee === null ? { assignee_type: null, assignee } : {};
      const person = assignee && !isAgent ? { assignee } : {};
      const body = { ...ownDispatch(context, id), ...fields, ...assigned, ...nobody, ...person };
      const task = await client.updateTask({ params: { id }, body });
      const { input_tokens, output_tokens } = task;
      const result_characters = task.result === null ? null : [...task.result].length;
      return { ...taskAnswer(task), result_characters, input_tokens, output_tokens };
    });
  },
});
