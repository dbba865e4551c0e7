// `task-service requeue`: puts a dispatched task, or one that needs attention, back to its place in the queue.
import { Command } from "commander";
import { given } from "../option-values.ts";
import { withSession } from "../session.ts";
import { printTaskLine } from "../task-text.ts";
import { printJson } from "../terminal.ts";
import { wholeId } from "../worker-surroundings.ts";

interface RequeueOptions {
  reason?: string;
  dispatch?: string;
  json?: boolean;
}

const help = `
A worker that has the task is told to stop. The reason is left as a note.

Examples
  $ task-service requeue 0199aa… --reason "The review asks for more"
`;

const requeue = (named: string, { reason, dispatch, json }: RequeueOptions): Promise<void> =>
  withSession(async ({ client }) => {
    const id = wholeId(named, "task");
    const task = await client.requeueTask({ params: { id }, body: given({ reason, dispatch_id: dispatch }) });
    if (json) printJson(task);
    else printTaskLine("Requeued", task);
  });

export const requeueCommand = (): Command =>
  new Command("requeue")
    .argument("<task>", "its id")
    .option("-r, --reason <text>", "for people, and for whoever takes it next")
    .option("--dispatch <id>", "refuse it unless this is the task's latest dispatch")
    .option("--json", "print the task as the API has it")
    .addHelpText("after", help)
    .action(requeue);
