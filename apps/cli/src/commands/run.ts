// `task-service run`: the executor, one fresh process per task.
import {
  type ExecutorArguments,
  NameTakenError,
  parseExecutorArguments,
  runCommandExecutor,
  UsageError,
} from "@task-service/executor";
import { Command } from "commander";
import { agentTypeIds, isId } from "../agent-type-names.ts";
import { CommandFailure, exitCodes, wrongUse } from "../exit-codes.ts";
import { collected } from "../option-values.ts";
import { type Session, withSession } from "../session.ts";

interface RunOptions {
  slots?: string;
  name?: string;
  organization?: string;
  agentType?: string[];
  timeLimit?: string;
  memoryLimit?: string;
  workDir?: string;
  logs?: string | false;
  stopAtOnce?: boolean;
}

const help = `
COMMAND is started for each task in a fresh directory with TASK.json, PROMPT.md and
PERSONA.md, the prompt on standard input, and TASK_ID, DISPATCH_ID, TASK_SERVICE_URL
and TASK_SERVICE_TOKEN_FILE in its environment. Placeholders in its arguments, such as
{prompt_file}, {persona_file}, {prompt}, {persona}, {task_id}, are filled in. Ends with
0: done, and the last lines of its output become the result if the task has no newer
one. Anything else: the task returns to the queue.

The first SIGTERM or Ctrl-C takes no more tasks and waits for the workers; a second one,
a second or more later, gives their tasks back. docs/executors.md says all of it.

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

const parse = (command: readonly string[], options: RunOptions, agentTypes: readonly string[]): ExecutorArguments => {
  const { slots, name, organization, timeLimit, memoryLimit, workDir, logs, stopAtOnce } = options;
  const option = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value]);
  const args = [
    ...option("--slots", slots),
    ...option("--name", name),
    ...option("--organization", organization),
    ...agentTypes.flatMap((one) => option("--agent-type", one)),
    ...option("--time-limit", timeLimit),
    ...option("--memory-limit", memoryLimit),
    ...option("--work-dir", workDir),
    ...(logs === false ? ["--no-logs"] : option("--logs", logs)),
    ...(stopAtOnce ? ["--stop-at-once"] : []),
    "--",
    ...command,
  ];
  try {
    const parsed = parseExecutorArguments(args, [process.cwd()]);
    if (!parsed) throw wrongUse("Name a command.");
    return parsed;
  } catch (error) {
    throw error instanceof UsageError ? wrongUse(`${error.message}.`) : error;
  }
};

const run = async (command: string[], options: RunOptions): Promise<void> => {
  const checked = parse(command, { ...options }, []);
  await withSession(async (session) => {
    const agentTypes = await agentTypeFilters(session, options);
    const executorArguments = agentTypes.length > 0 ? parse(command, options, agentTypes) : checked;
    const { serviceUrl, credentials } = session;
    await runCommandExecutor({ ...executorArguments, serviceUrl, credentials }).catch((error: unknown) => {
      throw error instanceof NameTakenError ? new CommandFailure(exitCodes.refused, `${error.message}.`) : error;
    });
  });
};

export const runCommand = (): Command =>
  new Command("run")
    .description("take tasks and start a command for each: the executor")
    .argument("<command...>", "what to start, with its arguments")
    .passThroughOptions()
    .option("-n, --slots <number>", "tasks worked on at once, 1 to 100 (1)")
    .option("--name <name>", 'how the service calls this executor (host name and "-1"); one process at a time')
    .option("-o, --organization <slug>", "only tasks of this organization")
    .option("-a, --agent-type <name>", "only for these: organization/slug, slug or id; may be repeated", collected)
    .option("--time-limit <time>", "end a worker that takes longer: 90s, 45m, 2h")
    .option("--memory-limit <size>", "for each process of a worker, where the system can do it: 512M, 4G")
    .option("--work-dir <path>", "where the workers' directories are made")
    .option("--logs <path>", "where each worker's output is kept")
    .option("--no-logs", "keep no output")
    .option("--stop-at-once", "the first signal gives the tasks back")
    .addHelpText("after", help)
    .action(run);
