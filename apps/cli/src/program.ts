// The command line as a whole: its commands, what `--help` says of all of them, and how an end becomes an exit code.
import { Command, CommanderError } from "commander";
import { completionCommand } from "./commands/completion.ts";
import { createCommand } from "./commands/create.ts";
import { finishCommand, releaseCommand } from "./commands/dispatch-ends.ts";
import { listCommand } from "./commands/list.ts";
import { loginCommand, logoutCommand } from "./commands/login.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { nextCommand } from "./commands/next.ts";
import { noteCommand } from "./commands/note.ts";
import { personasCommand } from "./commands/personas-lint.ts";
import { requeueCommand } from "./commands/requeue.ts";
import { respondCommand } from "./commands/respond.ts";
import { runCommand } from "./commands/run.ts";
import { showCommand } from "./commands/show.ts";
import { updateCommand } from "./commands/update.ts";
import { watchCommand } from "./commands/watch.ts";
import { exitCodes } from "./exit-codes.ts";
import { reportOf } from "./failure-report.ts";
import { printable, say } from "./terminal.ts";

const settingsHelp = `
Settings
  TASK_SERVICE_URL         address of the service; without it, the one signed in to last
  TASK_SERVICE_TOKEN       an access token, or
  TASK_SERVICE_TOKEN_FILE  a file with one that somebody else renews, or
  OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET
                           a client of the identity provider that is in the group;
                           without any of them, whoever signed in with \`login\`,
                           or what \`npm start\` uses on this machine
  NO_COLOR                 no colours

Ends with 0, or 1 if the service refused or a check had findings, 2 for wrong use,
3 without a token it takes, 4 if it cannot be reached, 78 for wrong settings.
`;

const commands = [
  loginCommand,
  logoutCommand,
  createCommand,
  listCommand,
  showCommand,
  updateCommand,
  noteCommand,
  requeueCommand,
  watchCommand,
  nextCommand,
  finishCommand,
  releaseCommand,
  respondCommand,
  runCommand,
  personasCommand,
  mcpCommand,
];

/** commander looks for a command's own settings only in what made it: each command gets those of the program. */
const addAll = (program: Command): Command => {
  const settle = (command: Command): void => {
    command.exitOverride().showHelpAfterError("(--help says more)").helpCommand(false);
    command.helpOption("-h, --help", "print this").configureHelp({ showGlobalOptions: false });
    for (const child of command.commands) settle(child);
  };
  for (const make of commands) program.addCommand(make());
  program.addCommand(completionCommand(program));
  settle(program);
  return program;
};

/** The whole command line, ready to parse. */
export const createProgram = (): Command =>
  addAll(
    new Command("task-service")
      .description("The task queue that people and agents share, from a terminal.")
      .usage("COMMAND [options]")
      .enablePositionalOptions()
      .addHelpText("after", settingsHelp),
  );

/** Runs the command of `args`; resolves to the exit code. Rejects only for a fault of this program. */
export const runProgram = async (args: readonly string[]): Promise<number> => {
  try {
    await createProgram().parseAsync([...args], { from: "user" });
    return Number(process.exitCode ?? exitCodes.good);
  } catch (error) {
    // commander has said what is wrong; asking for help is none of it, though it ends the same way.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.good : exitCodes.wrongUse;
    const report = reportOf(error);
    if (!report) throw error;
    say(report.sentence.split("\n").map(printable).join("\n"));
    return report.exitCode;
  }
};
