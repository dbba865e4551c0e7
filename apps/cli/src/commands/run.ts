// `task-service run`: the executor, one fresh process per task.

import {
  type ExecutorArguments,
  executorFlags,
  NameTakenError,
  parseExecutorArguments,
  runCommandExecutor,
  UsageError,
} from "@task-service/executor";
import { Command, Option } from "commander";
import { agentTypeIds, isId } from "../agent-type-names.ts";
import { CommandFailure, exitCodes, wrongUse } from "../exit-codes.ts";
import { interruptible } from "../interruption.ts";
import { collected } from "../option-values.ts";
import { endWithParent } from "../parent-watch.ts";
import { patiently } from "../service-patience.ts";
import { type Session, withSession } from "../session.ts";
import { shortenedLine } from "../shortened-text.ts";
import { surroundings } from "../surroundings.ts";

interface RunOptions {
  organization?: string;
  agentType?: string[];
}

const help = `
COMMAND is started for each task in a fresh directory with TASK.json, PROMPT.md and
PERSONA.md, the prompt on standard input, and TASK_ID, DISPATCH_ID, TASK_SERVICE_URL
and TASK_SERVICE_TOKEN_FILE in its environment. Placeholders in its arguments, such as
{prompt_file}, {persona_file}, {prompt}, {persona}, {task_id}, are filled in. Ends with
0: done, and the last lines of its output become the result if the task has no newer
one. Anything else: the task returns to the queue.

The first SIGTERM or Ctrl-C takes no more tasks and waits for the workers; a second one,
a second or more later, gives their tasks back. Under npm or npx the end of that one is
such a SIGTERM; a service that is away is waited for. docs/executors.md says all of it.

Examples
  $ task-service run -- node examples/executors/echo.mjs
  $ task-service run --slots 4 -a acme/developer --time-limit 1h -- ./agent.sh {prompt_file}
`;

/** Slugs of the one organization are the service's to know; others are looked up. */
const agentTypeFilters = (session: Session, { agentType = [], organization }: RunOptions): Promise<string[]> =>
  Promise.all(
    agentType.map(async (name) => {
      if (isId(name) || (organization && !name.includes("/"))) return name;
      const [id = name] = await agentTypeIds(session.client, [name], organization);
      return id;
    }),
  );

/** Those of the executor, but that an agent type has more names here. */
const flagOptions = (): Option[] =>
  Object.entries(executorFlags).map(([name, flag]) => {
    const { short, value, about }: { short?: string; value?: string; about: string } = flag;
    const option = new Option(`${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}`, about);
    if (!("multiple" in flag)) return option;
    option.description = "only for these: organization/slug, slug or id; may be repeated";
    return option.argParser(collected);
  });

/** The flags as the executor reads them; agent types are looked up later. */
const flagWords = (command: Command): string[] =>
  command.options.flatMap((option) => {
    if (option.attributeName() === "agentType") return [];
    const long = option.long ?? "";
    const value: unknown = command.getOptionValue(option.attributeName());
    if (option.negate) return value === false ? [long] : [];
    if (value === true) return [long];
    return [value].flat().flatMap((one) => (typeof one === "string" ? [long, one] : []));
  });

const parse = (words: readonly string[], command: Command): ExecutorArguments => {
  try {
    const parsed = parseExecutorArguments([...flagWords(command), "--", ...words], [surroundings().cwd()]);
    if (!parsed) throw wrongUse("Name a command.");
    return parsed;
  } catch (error) {
    throw error instanceof UsageError ? wrongUse(`${shortenedLine(error.message)}.`) : error;
  }
};

const run = async (words: string[], options: RunOptions, command: Command): Promise<void> => {
  const checked = parse(words, command);
  const unwatch = endWithParent();
  await withSession(async (session) => {
    const agentTypes = await interruptible((interrupted) =>
      patiently(() => agentTypeFilters(session, options), interrupted),
    );
    if (!agentTypes) return;
    const { serviceUrl, credentials } = session;
    const filters = { ...checked.filters, agentTypes };
    await runCommandExecutor({ ...checked, filters, serviceUrl, credentials }).catch((error: unknown) => {
      throw error instanceof NameTakenError ? new CommandFailure(exitCodes.nameTaken, `${error.message}.`) : error;
    });
  }).finally(unwatch);
};

export const runCommand = (): Command => {
  const command = new Command("run")
    .argument("<command...>", "what to start, with its arguments")
    .passThroughOptions()
    .addHelpText("after", help)
    .action(run);
  for (const option of flagOptions()) command.addOption(option);
  return command;
};
