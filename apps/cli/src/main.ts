#!/usr/bin/env node
// `task-service`: finds the command in the arguments and runs it. Ends with the command's exit code, or 2 for wrong use.
import { type Command, UsageError } from "./command.ts";
import { personasLint } from "./commands/personas-lint.ts";

const commands: readonly Command[] = [personasLint];
const wrongUse = 2;

const overview = `Usage: task-service COMMAND

${commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`).join("\n")}

\`task-service COMMAND --help\` says more.
`;

/** What stands behind `--` belongs to somebody else. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === "--help" || arg === "-h");
};

const main = async (args: readonly string[]): Promise<number> => {
  const command = commands.find(({ name }) => name.split(" ").every((word, index) => args[index] === word));
  if (asksForHelp(args)) {
    process.stdout.write(command?.help ?? overview);
    return 0;
  }
  if (!command) {
    const sentence = args.length === 0 ? "Name a command." : `There is no command \`${args.join(" ")}\`.`;
    process.stderr.write(`${sentence}\n\n${overview}`);
    return wrongUse;
  }
  try {
    return await command.run(args.slice(command.name.split(" ").length));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nUsage: task-service ${command.usage}\n`);
    return wrongUse;
  }
};

process.exitCode = await main(process.argv.slice(2));
