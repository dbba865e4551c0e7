// The tools that say who tasks can be given to.
import { agentTypeOperations, strict } from "@task-service/contract";
import Type from "typebox";
import { agentTypeId } from "../agent-type-names.ts";
import { tool } from "./mcp-tool.ts";

const { organization, is_active, q, limit, cursor } = agentTypeOperations.listAgentTypes.querystring.properties;

export const listAgentTypes = tool({
  name: "list_agent_types",
  description:
    "Lists the agent types (personas such as developer, reviewer, tester) that tasks can be assigned to, with what each is for. Call it before create_task to choose an assignee: write it as `<organization_slug>/<slug>`. Answers {items, next_cursor}; active ones only, unless is_active says otherwise.",
  inputSchema: strict({ organization, is_active, q, limit, cursor }),
  isReadOnly: true,
  call: ({ client }, given) => client.listAgentTypes({ query: { is_active: true, ...given } }),
});

export const getAgentType = tool({
  name: "get_agent_type",
  description:
    "Reads one agent type with its whole persona (`body`): what an agent of this type is told to be and to do. Useful to see what a task for it must say and what it leaves to others.",
  inputSchema: strict({
    agent_type: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Its id, `<organization>/<slug>`, or a slug that only one organization has",
      examples: ["acme/reviewer"],
    }),
  }),
  isReadOnly: true,
  call: async ({ client }, { agent_type }) =>
    client.getAgentType({ params: { id: await agentTypeId(client, agent_type) } }),
});
