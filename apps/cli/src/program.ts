// The command line as a whole: its commands, what `--help` says of all of them, and how an end becomes an exit code.
import { Command, CommanderError } from "commander";
import { readVersion } from "./cli-version.ts";
import { exitCodes } from "./exit-codes.ts";
import { shortenedLine } from "./shortened-text.ts";
import { runWithin, type Surroundings, surroundings } from "./surroundings.ts";

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
3 without a token it takes, 4 if it cannot be reached, 75 if another process has
the name of an executor, 78 for wrong settings.
`;

/** What each command is for, and where it is: only the one that is used is loaded, which takes its time. */
const commands: Readonly<Record<string, { readonly about: string; load(): Promise<Command> }>> = {
  login: { about: "sign in to a service", load: async () => (await import("./commands/login.ts")).loginCommand() },
  logout: { about: "forget a sign-in", load: async () => (await import("./commands/login.ts")).logoutCommand() },
  create: { about: "create a task", load: async () => (await import("./commands/create.ts")).createCommand() },
  list: { about: "list tasks, newest first", load: async () => (await import("./commands/list.ts")).listCommand() },
  agents: {
    about: "list agent types: who tasks can be given to",
    load: async () => (await import("./commands/agents.ts")).agentsCommand(),
  },
  show: { about: "show a task", load: async () => (await import("./commands/show.ts")).showCommand() },
  update: { about: "change a task", load: async () => (await import("./commands/update.ts")).updateCommand() },
  note: {
    about: "leave a note on a task, or list its notes",
    load: async () => (await import("./commands/note.ts")).noteCommand(),
  },
  requeue: {
    about: "return a task to the queue",
    load: async () => (await import("./commands/requeue.ts")).requeueCommand(),
  },
  watch: { about: "follow what happens, live", load: async () => (await import("./commands/watch.ts")).watchCommand() },
  next: {
    about: "take the next task from the queue",
    load: async () => (await import("./commands/next.ts")).nextCommand(),
  },
  finish: {
    about: "end a dispatch: its work is over",
    load: async () => (await import("./commands/dispatch-ends.ts")).finishCommand(),
  },
  release: {
    about: "end a dispatch: give its task back",
    load: async () => (await import("./commands/dispatch-ends.ts")).releaseCommand(),
  },
  respond: {
    about: "work on the next task yourself",
    load: async () => (await import("./commands/respond.ts")).respondCommand(),
  },
  run: {
    about: "take tasks and start a command for each: the executor",
    load: async () => (await import("./commands/run.ts")).runCommand(),
  },
  personas: {
    about: "work on persona files",
    load: async () => (await import("./commands/personas-lint.ts")).personasCommand(),
  },
  mcp: {
    about: "serve the tools of the service to a model",
    load: async () => (await import("./commands/mcp.ts")).mcpCommand(),
  },
  completion: {
    about: "print a script that completes commands and options",
    load: async () => (await import("./commands/completion.ts")).completionCommand(createProgram),
  },
  __complete: {
    about: "print names for a completion script",
    load: async () => (await import("./commands/name-completion.ts")).nameCompletionCommand(),
  },
};

/** commander looks for a command's own settings only in what made it: each command gets those of the program. */
const settle = (command: Command): void => {
  const { stdout, stderr } = surroundings();
  command.exitOverride().showHelpAfterError("(--help says more)").helpCommand(false);
  command.helpOption("-h, --help", "print this").configureHelp({ showGlobalOptions: false });
  command.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? 80,
    outputError: (text, write) => write(text.split("\n").map(shortenedLine).join("\n")),
  });
  for (const child of command.commands) settle(child);
};

/** The command line, ready to parse those commands that are named; of the others it knows what they are for. */
export const createProgram = async (names: readonly string[] = Object.keys(commands)): Promise<Command> => {
  const program = new Command("task-service")
    .description("The task queue that people and agents share, from a terminal.")
    .usage("COMMAND [options]")
    .version(readVersion(), "-V, --version", "print the version")
    .enablePositionalOptions()
    .addHelpText("after", settingsHelp);
  for (const [name, { about, load }] of Object.entries(commands)) {
    const command = names.includes(name) ? await load() : new Command(name);
    program.addCommand(command.description(about), { hidden: name.startsWith("_") });
  }
  settle(program);
  return program;
};

/** The exit code, after the sentence that says why. Throws what is a fault of this program. */
const exitCodeOf = async (error: unknown): Promise<number> => {
  // commander has said what is wrong; asking for help is none of it, though it ends the same way.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.good : exitCodes.wrongUse;
  const { reportOf } = await import("./failure-report.ts");
  const { printable, say } = await import("./terminal.ts");
  const report = reportOf(error);
  if (!report) throw error;
  if (report.sentence) say(report.sentence.split("\n").map(printable).join("\n"));
  return report.exitCode;
};

/** Runs the command of `args`; resolves to the exit code. Rejects only for a fault of this program. */
export const runProgram = (args: readonly string[], those: Surroundings = process): Promise<number> =>
  runWithin(those, async () => {
    try {
      const program = await createProgram(args.slice(0, 1));
      await program.parseAsync([...args], { from: "user" });
      return exitCodes.good;
    } catch (error) {
      return exitCodeOf(error);
    }
  });
