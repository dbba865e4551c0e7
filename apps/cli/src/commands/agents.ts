// `task-service agents`: the agent types that tasks can be given to.
import type { AgentTypeSummary } from "@task-service/contract";
import { Command } from "commander";
import { given, integer } from "../option-values.ts";
import { withSession } from "../session.ts";
import { type Column, printJson, printTable, say } from "../terminal.ts";

interface AgentsOptions {
  organization?: string;
  search?: string;
  limit?: number;
  cursor?: string;
  json?: boolean;
}

const help = `
The first column is what --agent-type takes; LIVE is how many of its tasks are worked on.
Those whose persona is gone are left out.

Examples
  $ task-service agents
  $ task-service agents --organization acme --json | jq -r '.items[].slug'
`;

const columns: readonly Column<AgentTypeSummary>[] = [
  { title: "AGENT TYPE", text: ({ organization_slug, slug }) => `${organization_slug}/${slug}` },
  { title: "QUEUED", text: ({ queued_count }) => String(queued_count), style: () => "yellow" },
  { title: "LIVE", text: ({ dispatched_count }) => String(dispatched_count), style: () => "green" },
  { title: "NAME", text: ({ name }) => name },
  { title: "DESCRIPTION", text: ({ description }) => description, style: () => "dim" },
];

const agents = ({ organization, search: q, limit, cursor, json }: AgentsOptions): Promise<void> =>
  withSession(async ({ client }) => {
    const page = await client.listAgentTypes({
      query: { is_active: true, ...given({ organization, q, limit, cursor }) },
    });
    if (json) return printJson(page);
    if (page.items.length === 0) return say("No agent types.");
    printTable(columns, page.items);
    if (page.next_cursor) say(`There are more: --cursor ${page.next_cursor}`);
  });

export const agentsCommand = (): Command =>
  new Command("agents")
    .option("-o, --organization <slug>", "only of this organization")
    .option("-q, --search <text>", "part of slug, name or description")
    .option("-n, --limit <number>", "so many at most, 1 to 200 (50)", integer)
    .option("--cursor <text>", "go on after an earlier page")
    .option("--json", "print the page as the API has it")
    .addHelpText("after", help)
    .action(agents);
