// `task-service finish` and `release`: how a dispatch taken by `next` ends.

import type { Dispatch } from "@task-service/contract";
import { Command } from "commander";
import { wrongUse } from "../exit-codes.ts";
import { given } from "../option-values.ts";
import { type Session, withSession } from "../session.ts";
import { surroundings } from "../surroundings.ts";
import { print, printJson } from "../terminal.ts";
import { wholeId, workerSurroundings } from "../worker-surroundings.ts";

const dispatchIdOr = (named: string | undefined): string => {
  const id = named ?? workerSurroundings(surroundings().env).dispatchId;
  if (!id) throw wrongUse("Name a dispatch by its id: only with DISPATCH_ID set it can be left out.");
  return wholeId(id, "dispatch");
};

const endDispatch = (call: (session: Session) => Promise<Dispatch>, json: boolean | undefined): Promise<void> =>
  withSession(async (session) => {
    const dispatch = await call(session);
    if (json) printJson(dispatch);
    else print(`Dispatch ${dispatch.id} of task ${dispatch.task_id}: ${dispatch.outcome}.`);
  });

const finishHelp = `
The task stays dispatched: the service tracks no completion.

Examples
  $ task-service finish 0199ab…
`;

export const finishCommand = (): Command =>
  new Command("finish")
    .argument("[dispatch]", "its id, as `next` printed it")
    .option("--json", "print the dispatch as the API has it")
    .addHelpText("after", finishHelp)
    .action((named: string | undefined, { json }: { json?: boolean }) => {
      const params = { id: dispatchIdOr(named) };
      return endDispatch(({ client }) => client.finishDispatch({ params }), json);
    });

const releaseHelp = `
The task returns to its place in the queue; the reason is left as a note.

Examples
  $ task-service release 0199ab… --reason "The repository is away"
`;

export const releaseCommand = (): Command =>
  new Command("release")
    .argument("[dispatch]", "its id, as `next` printed it")
    .option("-r, --reason <text>", "for people, and for whoever takes the task next")
    .option("--json", "print the dispatch as the API has it")
    .addHelpText("after", releaseHelp)
    .action((named: string | undefined, { reason, json }: { reason?: string; json?: boolean }) => {
      const params = { id: dispatchIdOr(named) };
      return endDispatch(({ client }) => client.releaseDispatch({ params, body: given({ reason }) }), json);
    });
