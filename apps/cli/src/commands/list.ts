// `task-service list`: the tasks that suit some filters.
import { type TaskQuery, taskSorts, taskStates } from "@task-service/contract";
import { Command, Option } from "commander";
import { agentTypeIds } from "../agent-type-names.ts";
import { collected, given, integer } from "../option-values.ts";
import { withSession } from "../session.ts";
import { taskColumns } from "../task-text.ts";
import { printJson, printTable, say } from "../terminal.ts";

interface ListOptions extends Pick<TaskQuery, "state" | "sort" | "limit" | "cursor"> {
  agentType?: string[];
  user?: string[];
  organization?: string[];
  label?: string[];
  search?: string;
  parent?: string;
  root?: string;
  queue?: boolean;
  live?: boolean;
  attention?: boolean;
  json?: boolean;
}

const help = `
Examples
  $ task-service list --queue                          what goes next, in order
  $ task-service list --live                           what is being worked on
  $ task-service list --search "login test" -o acme
  $ task-service list --root 0199aa… --sort created_at a task and all that followed
  $ task-service list --json | jq -r '.items[].id'
`;

const list = (options: ListOptions): Promise<void> =>
  withSession(async ({ client }) => {
    const { state, limit, cursor, organization, label, live, queue, json } = options;
    const agentTypes = await agentTypeIds(client, options.agentType ?? [], organization?.[0]);
    const assignee = [...agentTypes, ...(options.user ?? [])];
    const query: TaskQuery = given({
      ...{ state, limit, cursor, organization, label, live },
      assignee: assignee.length > 0 ? assignee : undefined,
      sort: options.sort ?? (queue ? "queue" : undefined),
      q: options.search,
      parent_id: options.parent,
      root_id: options.root,
      needs_attention: options.attention,
    });
    const page = await client.listTasks({ query });
    if (json) return printJson(page);
    if (page.items.length === 0) return say("No tasks.");
    printTable(taskColumns, page.items);
    if (page.next_cursor) say(`There are more: --cursor ${page.next_cursor}`);
  });

export const listCommand = (): Command =>
  new Command("list")
    .option("--queue", "the queue, in the order of dispatch")
    .option("--live", "what a worker has now")
    .option("--attention", "what waits for a person: lost too often")
    .addOption(new Option("-s, --state <state>", "only these").choices(taskStates))
    .option("-a, --agent-type <name>", "organization/slug, slug or id; may be repeated", collected)
    .option("-u, --user <name>", "tasks of a person; may be repeated", collected)
    .option("-o, --organization <slug>", "may be repeated", collected)
    .option("-l, --label <text>", "any of them, may be repeated", collected)
    .option("-q, --search <words>", "words of title or prompt")
    .option("--parent <id>", "its follow-ups")
    .option("--root <id>", "a task and all that followed from it")
    .addOption(new Option("--sort <order>", "order").choices(taskSorts))
    .option("-n, --limit <number>", "so many at most, 1 to 200 (50)", integer)
    .option("--cursor <text>", "go on after an earlier page")
    .option("--json", "print the page as the API has it")
    .addHelpText("after", help)
    .action(list);
