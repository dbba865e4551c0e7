// `task-service show`: a task whole, with where it stands and its newest notes.
import { Command } from "commander";
import { withSession } from "../session.ts";
import { printTask } from "../task-text.ts";
import { printJson } from "../terminal.ts";
import { taskIdOr } from "../worker-surroundings.ts";

const shownNotes = 5;

const help = `
Inside a worker TASK may be left out: it is the worker's own then.

Examples
  $ task-service show 0199aa10-7c4e-7b6e-9d0a-3f2a51d8c001
  $ task-service show --json | jq -r .result
`;

const show = (named: string | undefined, { json }: { json?: boolean }): Promise<void> =>
  withSession(async ({ client }) => {
    const params = { id: taskIdOr(named) };
    const task = await client.getTask({ params });
    if (json) return printJson(task);
    const [position, notes] = await Promise.all([
      task.state === "queued" ? client.getTaskPosition({ params }) : undefined,
      client.listNotes({ params, query: { limit: shownNotes } }),
    ]);
    printTask(task, position, notes.items.toReversed());
  });

export const showCommand = (): Command =>
  new Command("show")
    .argument("[task]", "its id")
    .option("--json", "print the task as the API has it")
    .addHelpText("after", help)
    .action(show);
