// The tool that looks at the queue: what goes next, how much waits, where a task stands.
import { strict, taskListOperations, Uuid } from "@task-service/contract";
import Type from "typebox";
import { optional, tool } from "./mcp-tool.ts";

const { organization, assignee, limit } = taskListOperations.listTasks.querystring.properties;
const shown = 10;

export const getQueue = tool({
  name: "get_queue",
  description: `Looks at the queue of tasks that wait for agents. Answers {items, next_cursor, count, exact, position}: the tasks that go next, in order (${shown} unless limit says otherwise), how many wait in all, and, if you give id, where that task stands and why it waits (null otherwise; position 1 is next). Nothing is taken from the queue.`,
  inputSchema: strict({
    organization,
    assignee: optional(assignee, "Only tasks for these agent types: `<organization>/<slug>` or ids"),
    limit,
    id: Type.Optional({ ...Uuid, description: "Id of a task whose position you want to know" }),
  }),
  isReadOnly: true,
  call: async ({ client }, { id, limit = shown, ...filters }) => {
    const [page, count, position] = await Promise.all([
      client.listTasks({ query: { sort: "queue", limit, ...filters } }),
      client.countTasks({ query: { state: "queued", assignee_type: "agent", needs_attention: false, ...filters } }),
      id === undefined ? null : client.getTaskPosition({ params: { id } }),
    ]);
    return { ...page, ...count, position };
  },
});
