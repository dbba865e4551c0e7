// `task-service create`: puts a task into the queue.

import type { Task } from "@task-service/contract";
import { Command } from "commander";
import { withInputText } from "../input-text.ts";
import { collected, given, priority } from "../option-values.ts";
import { withSession } from "../session.ts";
import { surroundings } from "../surroundings.ts";
import { assignment } from "../task-assignment.ts";
import { printTaskLine } from "../task-text.ts";
import { printJson } from "../terminal.ts";
import { workerSurroundings } from "../worker-surroundings.ts";

interface CreateOptions {
  agentType?: string;
  user?: string;
  organization?: string;
  title?: string;
  priority?: number;
  label?: string[];
  parent?: string | false;
  gitLink?: string;
  file?: string;
  key?: string;
  json?: boolean;
}

const help = `
The prompt is what the worker is asked to do: words, --file, standard input, or what
you write in $EDITOR. Without --agent-type and --user the task waits for nobody yet.
Inside a worker the new task follows up on the worker's own, unless --no-parent.

Examples
  $ task-service create --agent-type acme/developer "Fix the flaky login test"
  $ task-service create -a developer -p urgent --file prompt.md --label bug
  $ git diff | task-service create -a acme/reviewer --title "Review my change"
  $ task-service create --organization acme --user bob "Decide on the price"
`;

const create = (words: string[], options: CreateOptions): Promise<void> =>
  withSession(async (session) => {
    const { organization, title, label: labels, gitLink: git_link, key, json } = options;
    const parent_id =
      options.parent === false ? undefined : (options.parent ?? workerSurroundings(surroundings().env).taskId);
    const assigned = await assignment(session.client, options, organization);
    const fields = given({ organization, title, priority: options.priority, labels, parent_id, git_link });
    const headers = given({ "idempotency-key": key });
    const task: Task = await withInputText(words, options.file, "prompt", (prompt) =>
      session.client.createTask({ body: { prompt, ...assigned, ...fields }, headers }),
    );
    if (json) printJson(task);
    else printTaskLine("Created", task);
  });

export const createCommand = (): Command =>
  new Command("create")
    .argument("[prompt...]", "what is to be done")
    .option("-a, --agent-type <name>", "for whom: organization/slug, a slug that is unique, or an id")
    .option("-u, --user <name>", "for a person instead")
    .option("-o, --organization <slug>", "where it belongs; needed without an agent type")
    .option("-t, --title <text>", "the prompt's first line, if left out")
    .option("-p, --priority <number>", "higher goes first; urgent, high, normal, low are words for some", priority)
    .option("-l, --label <text>", "may be repeated", collected)
    .option("--parent <id>", "the task it follows up on")
    .option("--no-parent", "it follows up on none, also inside a worker")
    .option("--git-link <url>", "an issue or pull request on the git host")
    .option("-f, --file <path>", "read the prompt from a file, - for standard input")
    .option("--key <text>", "idempotency key: repeated with the same one, nothing new is created")
    .option("--json", "print the task as the API has it")
    .addHelpText("after", help)
    .action(create);
