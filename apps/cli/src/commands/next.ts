// `task-service next`: takes one task from the queue and prints the hand-over.
import { Command } from "commander";
import { printHandoff } from "../handoff-text.ts";
import { interruptible } from "../interruption.ts";
import { collected, integer } from "../option-values.ts";
import { withSession } from "../session.ts";
import { takeTask } from "../task-taking.ts";
import { print, printJson, say, styled } from "../terminal.ts";

interface NextOptions {
  executor?: string;
  organization?: string;
  agentType?: string[];
  wait?: number;
  lease?: number;
  json?: boolean;
}

const help = `
You are the executor then: \`task-service finish\` or \`release\` says that the work is
over. Without --lease nobody takes the task away. With nothing to take it prints so,
or null with --json, and ends with 0.

Examples
  $ task-service next --agent-type acme/reviewer --wait 30
  $ task-service next --json --lease 3600 > handoff.json
`;

const next = ({ executor, organization, agentType, wait = 0, lease, json }: NextOptions): Promise<void> =>
  withSession(async (session) => {
    const taking = { executor, organization, agentType, waitSeconds: wait, leaseSeconds: lease };
    const handoff = await interruptible((interrupted) => takeTask(session, { ...taking, interrupted }));
    if (json) return printJson(handoff);
    if (!handoff) return say("Nothing to take.");
    printHandoff(handoff, true);
    print();
    print(styled("dim", `task-service finish ${handoff.dispatch.id}   or   release, to give it back`));
  });

export const nextCommand = (): Command =>
  new Command("next")
    .option("-a, --agent-type <name>", "only for these: organization/slug, slug or id; may be repeated", collected)
    .option("-o, --organization <slug>", "only of this organization")
    .option("--executor <name>", "how the service calls you; your name, if left out")
    .option("-w, --wait <seconds>", "wait so long for one (0)", integer)
    .option("--lease <seconds>", "the task returns when nothing was heard for so long, 10 to 86400", integer)
    .option("--json", "print the hand-over as the API has it")
    .addHelpText("after", help)
    .action(next);
