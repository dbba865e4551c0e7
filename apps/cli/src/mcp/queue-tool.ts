// The tool that looks at the queue: what goes next, how much waits, where a task stands.
import { nullable, Position, strict, taskListOperations, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, tool } from "./mcp-tool.ts";
import { assigneeFilter } from "./near-agent-types.ts";
import { taskAnswer, taskPage } from "./task-answer.ts";

const { organization, assignee, limit, cursor } = taskListOperations.listTasks.querystring.properties;
const shown = 10;

export const getQueue = tool({
  name: "get_queue",
  title: "Look at the queue",
  description:
    "Looks at the queue: tasks that wait for agents, in the order they will go (higher priority first, then the one that waits longest), and how many wait in all. With `id` also where that task stands and why it waits. Nothing is taken from the queue.",
  effect: "reads",
  inputSchema: strict({
    organization: optional(organization, "Only of these organizations: slugs or ids"),
    assignee: optional(assignee, "Only tasks for these agent types: `<organization>/<slug>` or ids"),
    limit: optional(limit, `How many tasks to answer; ${shown} if left out`),
    cursor,
    id: optional(Uuid, "Id of a task whose place in the queue you want to know"),
  }),
  outputSchema: Type.Object({
    ...taskPage.properties,
    count: Type.Integer({ description: "How many wait in all" }),
    exact: Type.Boolean({ description: "False: there are more than `count`" }),
    position: nullable(Type.Object(Position.properties), { description: "Of the task `id`; null without one" }),
  }),
  quotes: "title, labels and names",
  call: async ({ client }, { id, limit = shown, cursor, assignee, ...given }) => {
    const filters = { ...given, ...(await assigneeFilter(client, assignee)) };
    const [{ items, next_cursor }, { count, exact }, position] = await Promise.all([
      client.listTasks({ query: { sort: "queue", limit, ...(cursor && { cursor }), ...filters } }),
      client.countTasks({ query: { state: "queued", assignee_type: "agent", needs_attention: false, ...filters } }),
      id === undefined ? null : client.getTaskPosition({ params: { id } }),
    ]);
    return { items: items.map(taskAnswer), next_cursor, count, exact, position };
  },
});
