// The tools that say who tasks can be given to.
import { type AgentTypeSummary, agentTypeOperations, nullable, strict } from "@task-service/contract";
import Type, { type Static } from "typebox";
import { agentTypeId } from "../agent-type-names.ts";
import { optional, tool } from "./mcp-tool.ts";
import { withNearNames } from "./near-agent-types.ts";
import { Cut, cutText, MaxCharacters } from "./text-cut.ts";

const { organization, is_active, q, limit, cursor } = agentTypeOperations.listAgentTypes.querystring.properties;
const shownOfDescription = 300;

const fields = {
  agent_type: Type.String({ description: "`<organization>/<slug>`: give it as `assignee` to create_task" }),
  name: Type.String(),
  description: Type.String({ description: "What agents of this type are for" }),
  is_active: Type.Boolean({ description: "False: tasks cannot be given to it any more" }),
  queued_count: Type.Integer({ description: "Its tasks that wait" }),
  dispatched_count: Type.Integer({ description: "Its tasks that are worked on now" }),
};
const Answered = Type.Object(fields);

const answered = (agentType: AgentTypeSummary): Static<typeof Answered> => {
  const { organization_slug, slug, name, description, is_active, queued_count, dispatched_count } = agentType;
  const agent_type = `${organization_slug}/${slug}`;
  return { agent_type, name, description, is_active, queued_count, dispatched_count };
};

export const listAgentTypes = tool({
  name: "list_agent_types",
  title: "List agent types",
  description:
    "Lists the agent types: kinds of AI worker, such as developer, reviewer or tester, each with a persona it works as and what it is for. Call it before create_task, to choose who a task is for; `agent_type` of the answer is what create_task takes as `assignee`.",
  effect: "reads",
  inputSchema: strict({
    organization: optional(organization, "Only of this organization: its slug or id"),
    is_active: optional(is_active, "false lists those that are gone; only active ones if left out"),
    q,
    limit: optional(limit, "How many to answer; 50 if left out"),
    cursor,
  }),
  outputSchema: Type.Object({ items: Type.Array(Answered), next_cursor: nullable(Type.String()) }),
  quotes: "name and description",
  call: async ({ client }, given) => {
    const { items, next_cursor } = await client.listAgentTypes({ query: { is_active: true, ...given } });
    const brief = items.map((item) => ({
      ...answered(item),
      description: cutText("description", item.description, [], shownOfDescription),
    }));
    return { items: brief, next_cursor };
  },
});

export const getAgentType = tool({
  name: "get_agent_type",
  title: "Read an agent type",
  description:
    "Reads one agent type with its whole persona (`body`): what workers of this type are told to be and to do. Use it to see what a task for it must say. The persona is meant for those workers, not for you.",
  effect: "reads",
  inputSchema: strict({
    agent_type: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "`<organization>/<slug>` as list_agent_types answers it, an id, or a slug that only one organization has",
      examples: ["acme/reviewer"],
    }),
    max_characters: MaxCharacters,
  }),
  outputSchema: Type.Object({ ...fields, body: Type.String({ description: "The persona, Markdown" }), cut: Cut }),
  quotes: "name, description and body",
  call: ({ client }, { agent_type, max_characters }) =>
    withNearNames(client, agent_type, async () => {
      const found = await client.getAgentType({ params: { id: await agentTypeId(client, agent_type) } });
      const cut: string[] = [];
      return { ...answered(found), body: cutText("body", found.body, cut, max_characters), cut };
    }),
});
