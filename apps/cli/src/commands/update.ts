// `task-service update`: changes fields of a task.
import type { TaskPatch } from "@task-service/contract";
import { Command, Option } from "commander";
import { wrongUse } from "../exit-codes.ts";
import { inputText } from "../input-text.ts";
import { collected, given, integer, priority } from "../option-values.ts";
import { withSession } from "../session.ts";
import { assignment } from "../task-assignment.ts";
import { printTaskLine } from "../task-text.ts";
import { printJson } from "../terminal.ts";
import { dispatchFieldFor, taskIdOr } from "../worker-surroundings.ts";

interface UpdateOptions {
  title?: string;
  prompt?: string;
  priority?: number;
  agentType?: string;
  user?: string;
  nobody?: boolean;
  assignee?: false;
  label?: string[];
  labels?: false;
  gitLink?: string | false;
  result?: string | false;
  resultFile?: string;
  inputTokens?: number;
  outputTokens?: number;
  dispatch?: string;
  ifVersion?: number;
  json?: boolean;
}

const help = `
Inside a worker TASK may be left out: it is the worker's own then, and the change is
refused once somebody else works on it. Tokens are totals of one dispatch: reporting
them twice changes nothing.

Examples
  $ task-service update 0199aa… --priority urgent --label bug --label login
  $ task-service update 0199aa… --agent-type acme/reviewer
  $ task-service update 0199aa… --nobody --no-labels --no-git-link --no-result
  $ task-service update --result "Fixed in #12" --input-tokens 1200 --output-tokens 340
`;

const resultField = async ({ result, resultFile }: UpdateOptions): Promise<TaskPatch> => {
  if (result === false) {
    if (resultFile !== undefined) throw wrongUse("Give one of --result-file and --no-result.");
    return { result: null };
  }
  if (resultFile === undefined) return given({ result });
  return { result: await inputText(result === undefined ? [] : [result], resultFile, "result") };
};

const update = (named: string | undefined, options: UpdateOptions): Promise<void> =>
  withSession(async (session) => {
    const id = taskIdOr(named);
    const { title, prompt, inputTokens: input_tokens, outputTokens: output_tokens, ifVersion, gitLink, json } = options;
    const { agentType, user } = options;
    const isForNobody = options.nobody || options.assignee === false;
    const changes: TaskPatch = {
      ...given({ title, prompt, priority: options.priority, input_tokens, output_tokens }),
      ...given({ labels: options.labels === false ? [] : options.label }),
      ...given({ git_link: gitLink === false ? null : gitLink }),
      ...(await resultField(options)),
      ...(await assignment(session.client, { agentType, user, isForNobody })),
    };
    if (Object.keys(changes).length === 0) throw wrongUse("Say what is to change: --help lists it.");
    const dispatch = options.dispatch ? { dispatch_id: options.dispatch } : dispatchFieldFor(id);
    const task = await session.client.updateTask({
      params: { id },
      headers: ifVersion === undefined ? {} : { "if-match": `"${ifVersion}"` },
      body: { ...changes, ...dispatch },
    });
    if (json) printJson(task);
    else printTaskLine("Updated", task);
  });

export const updateCommand = (): Command =>
  new Command("update")
    .argument("[task]", "its id")
    .option("-t, --title <text>", "its title")
    .option("--prompt <text>", "what is to be done; only while nobody works on it")
    .option("-p, --priority <number>", "higher goes first; or urgent, high, normal, low", priority)
    .option("-a, --agent-type <name>", "for whom: organization/slug, a slug that is unique, or an id")
    .option("-u, --user <name>", "for a person instead")
    .option("--nobody", "for nobody yet; --no-assignee is the same")
    .addOption(new Option("--no-assignee").hideHelp())
    .option("-l, --label <text>", "its labels from now on, may be repeated", collected)
    .option("--no-labels", "without any label")
    .option("--git-link <url>", "an issue or pull request on the git host")
    .option("--no-git-link", "without a link")
    .option("-r, --result <text>", "what came of it")
    .option("--no-result", "without a result")
    .option("--result-file <path>", "the same from a file, - for standard input")
    .option("--input-tokens <number>", "total of this dispatch, cached input included", integer)
    .option("--output-tokens <number>", "total of this dispatch", integer)
    .option("--dispatch <id>", "refuse the change unless this is the task's latest dispatch")
    .option("--if-version <number>", "refuse the change unless this is the task's version", integer)
    .option("--json", "print the task as the API has it")
    .addHelpText("after", help)
    .action(update);
