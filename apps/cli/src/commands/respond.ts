// `task-service respond`: a person at a terminal as executor of one task.
import { type Handoff, ProblemError } from "@task-service/contract";
import { Command } from "commander";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { problemSentence } from "../failure-report.ts";
import { printHandoff } from "../handoff-text.ts";
import { editedText } from "../input-text.ts";
import { interruptible } from "../interruption.ts";
import { keepText } from "../kept-text.ts";
import { collected, integer } from "../option-values.ts";
import { type Response, readResponse } from "../response-lines.ts";
import { type Session, withSession } from "../session.ts";
import { takeTask } from "../task-taking.ts";
import { print, printJson, say, styled } from "../terminal.ts";

interface RespondOptions {
  executor?: string;
  organization?: string;
  agentType?: string[];
  wait?: number;
  editor?: boolean;
  json?: boolean;
}

/** Renewed as long as this process lives: a closed terminal gives the task back. */
const leaseSeconds = 120;
const heartbeatMs = 30_000;

const help = `
Waits for a task, shows prompt and persona, and takes your result: lines, ended by one
with a single dot or by the end of input (Ctrl-D at a terminal), or with --editor what
you write in $EDITOR. Either end finishes the task with what was written. \`/release REASON\`
on a line of its own, Ctrl-C, a closed terminal, or no text at all gives the task back; what
you wrote until then is kept in a file, which is named: task-service-result-….md in $TMPDIR
or /tmp.

Examples
  $ task-service respond --agent-type acme/reviewer
  $ EDITOR=nano task-service respond --editor --wait 0
`;

/** Keeps the dispatch until the function it returns is called; `onLost` hears once that it is over. */
const keepAlive = ({ client }: Session, id: string, onLost: (problem: ProblemError) => void): (() => void) => {
  const beat = (): void => {
    client.heartbeatDispatch({ params: { id } }).catch((error: unknown) => {
      // For any other reason the next one may come through.
      if (error instanceof ProblemError && (error.code === "stale_dispatch" || error.code === "not_found"))
        onLost(error);
    });
  };
  const timer = setInterval(beat, heartbeatMs);
  return () => clearInterval(timer);
};

const editedResponse = async (interrupted: AbortSignal): Promise<Response> => {
  if (interrupted.aborted) return { reason: "interrupted", written: "" };
  const text = (await editedText("result.md")).trim();
  if (interrupted.aborted) return { reason: "interrupted", written: text };
  return text ? { result: text } : { reason: "no result was written", written: "" };
};

const finish = async ({ client }: Session, { task, dispatch }: Handoff, result: string): Promise<void> => {
  try {
    if (result) await client.updateTask({ params: { id: task.id }, body: { dispatch_id: dispatch.id, result } });
    await client.finishDispatch({ params: { id: dispatch.id } });
  } catch (error) {
    if (result) say(await keepText(result, "result"));
    throw error;
  }
};

const giveBack = async ({ client }: Session, { dispatch }: Handoff, reason: string, written = ""): Promise<void> => {
  const kept = written && (await keepText(written, "result"));
  try {
    await client.releaseDispatch({ params: { id: dispatch.id }, body: { reason } });
  } finally {
    if (kept) say(kept);
  }
};

const answer = async (
  session: Session,
  handoff: Handoff,
  { editor, json }: RespondOptions,
  interrupted: AbortSignal,
): Promise<void> => {
  const { task, dispatch } = handoff;
  const lost = new AbortController();
  const stopBeats = keepAlive(session, dispatch.id, (problem) => lost.abort(problem));
  const reading = editor ? editedResponse(interrupted) : readResponse(interrupted, lost.signal);
  const response = await reading
    .catch(async (error: unknown) => {
      await giveBack(session, handoff, "its result could not be written down");
      throw error;
    })
    .finally(stopBeats);
  const { result, written = result } = response;
  if (lost.signal.aborted) {
    if (written) say(await keepText(written, "result"));
    const why = problemSentence((lost.signal.reason as ProblemError).problem);
    throw new CommandFailure(exitCodes.refused, `The task is no longer yours: ${why}`);
  }
  if (result === undefined) await giveBack(session, handoff, response.reason, written);
  else await finish(session, handoff, result);
  if (json) printJson(await session.client.getTask({ params: { id: task.id } }));
  else print(result === undefined ? `Gave ${task.id} back.` : `Finished ${task.id}.`);
};

const respond = (options: RespondOptions): Promise<void> =>
  // To the very end: a closed terminal fails every line that is printed, which must not keep the session from clearing up.
  interruptible((interrupted) =>
    withSession(async (session) => {
      const { executor, organization, agentType, wait: waitSeconds = Number.POSITIVE_INFINITY, editor, json } = options;
      if (waitSeconds > 0) say("Waiting for a task; Ctrl-C ends it.");
      const taking = { executor, organization, agentType, waitSeconds, leaseSeconds, interrupted };
      const handoff = await takeTask(session, taking);
      if (!handoff) return json ? printJson(null) : say("Nothing to take.");
      if (json) say(JSON.stringify(handoff));
      else printHandoff(handoff, true);
      if (!json && !editor) {
        print();
        print(
          styled(
            "dim",
            "Your result, ended by a line with a single dot or by Ctrl-D; /release REASON gives the task back:",
          ),
        );
      }
      await answer(session, handoff, options, interrupted);
    }),
  );

export const respondCommand = (): Command =>
  new Command("respond")
    .option("-a, --agent-type <name>", "only for these: organization/slug, slug or id; may be repeated", collected)
    .option("-o, --organization <slug>", "only of this organization")
    .option("--executor <name>", "how the service calls you; your name, if left out")
    .option("-w, --wait <seconds>", "wait no longer than this for one", integer)
    .option("-e, --editor", "write the result in $EDITOR")
    .option("--json", "print the hand-over on standard error and the task as it is afterwards, as the API has them")
    .addHelpText("after", help)
    .action(respond);
