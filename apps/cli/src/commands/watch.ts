// `task-service watch`: prints what happens, as it happens.
import { type Event, type EventType, eventTypes, readEvents } from "@task-service/contract";
import { Command, InvalidArgumentError } from "commander";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { interruptible } from "../interruption.ts";
import { given } from "../option-values.ts";
import { type Session, withSession } from "../session.ts";
import { print, printable, say, styled } from "../terminal.ts";

interface WatchOptions {
  task?: string;
  organization?: string;
  type?: EventType[];
  after?: string;
  json?: boolean;
}

const help = `
Goes on until Ctrl-C, which is its good end (0), over restarts of the service and lost
connections. With --json
a line holds one event as the API has it.

Examples
  $ task-service watch
  $ task-service watch --organization acme --type task.created --type task.finished
  $ task-service watch --task 0199aa… --json | jq -r .type
`;

/** What of an event's data tells most in a line. */
const told = ["title", "executor", "outcome", "reason", "text", "status", "slug"];

const styles: Partial<Record<EventType, Parameters<typeof styled>[0]>> = {
  "task.dispatched": "green",
  "task.finished": "blue",
  "task.lost": "red",
  "task.expired": "red",
  "task.disconnected": "red",
  "task.released": "yellow",
  "task.requeued": "yellow",
};

const detailOf = ({ type, data }: Event): string => {
  const fields = type === "task.updated" ? Object.keys((data["changes"] as object | undefined) ?? {}) : [];
  const said = told.map((name) => data[name]).filter((value) => typeof value === "string" && value !== "");
  return [...said, ...fields].join(", ");
};

const printEvent = (event: Event): void => {
  const { at, type, task_id, actor } = event;
  const when = styled("dim", at.slice(11, 19));
  const what = styled(styles[type] ?? "reset", type.padEnd(18));
  const where = (task_id ?? "").padEnd(36);
  print(`${when} ${what} ${styled("dim", where)} ${printable(`${actor.name}: ${detailOf(event)}`.replace(/: $/, ""))}`);
};

const follow = async (session: Session, options: WatchOptions, signal: AbortSignal): Promise<void> => {
  const { task, organization, type, after, json } = options;
  const { serviceUrl: baseUrl, fetch, token } = session;
  const events = readEvents({
    baseUrl,
    token,
    fetch,
    signal,
    filters: given({ task, organization, type }),
    ...given({ after }),
  });
  for await (const event of events) {
    if (event.type === "reset") say("Some of what happened is no longer kept and not shown.");
    else if (json) print(JSON.stringify(event));
    else printEvent(event);
  }
};

const watch = (options: WatchOptions): Promise<void> =>
  withSession((session) =>
    interruptible(async (interrupted) => {
      // Once, so that what cannot pass is said: the stream itself goes on trying.
      await session.client.getMe();
      const signedOut = new AbortController();
      const token = (): Promise<string> =>
        session.token().catch((error: unknown) => {
          if (error instanceof CommandFailure && error.exitCode === exitCodes.notSignedIn) signedOut.abort(error);
          throw error;
        });
      if (!options.json) say("Following what happens; Ctrl-C ends it.");
      await follow({ ...session, token }, options, AbortSignal.any([interrupted, signedOut.signal]));
      if (signedOut.signal.aborted) throw signedOut.signal.reason;
    }),
  );

const collectedTypes = (value: string, before: readonly EventType[] = []): EventType[] => {
  const type = eventTypes.find((one) => one === value);
  if (!type) throw new InvalidArgumentError(`It must be one of ${eventTypes.join(", ")}.`);
  return [...before, type];
};

export const watchCommand = (): Command =>
  new Command("watch")
    .option("--task <id>", "only what happens to this task")
    .option("-o, --organization <slug>", "only in this organization")
    .option("--type <type>", "only these events; may be repeated", collectedTypes)
    .option("--after <event>", "begin after the event with this id, not now")
    .option("--json", "print a line for each event, as the API has it")
    .addHelpText("after", help)
    .action(watch);
