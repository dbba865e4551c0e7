// What the executor's command line says of itself.
import { executorFlags } from "./executor-flags.ts";

/** Exit codes of sysexits.h: EX_USAGE, EX_TEMPFAIL, EX_CONFIG. */
export const exitCodes = { wrongUsage: 64, nameTaken: 75, wrongSettings: 78 } as const;

const firstWidth = 23;
const secondWidth = 58;

/** An option and what it is for, in two columns; short names are for those who type much. */
const optionText = (name: string, { value = "", about }: { value?: string; about: string }): string => {
  const lines = about.match(new RegExp(`\\S.{0,${secondWidth - 1}}(?= |$)`, "g")) ?? [];
  const first = `  --${name} ${value.toUpperCase()}`.padEnd(firstWidth);
  return lines.map((line, at) => (at === 0 ? first : " ".repeat(firstWidth)) + line).join("\n");
};

const optionLines = Object.entries(executorFlags)
  .map(([name, flag]) => optionText(name, flag))
  .join("\n");

export const usage = `Usage: npm run executor -- [options] -- COMMAND [ARGUMENT…]

Takes tasks and starts COMMAND for each of them, in a fresh directory that holds
TASK.json, PROMPT.md and PERSONA.md, with the prompt on standard input. A worker
that ends with 0 has done its task, and the last lines of its standard output
become the result if the task has no newer one; anything else returns the task
to the queue.

In arguments of COMMAND these stand for what they name: {prompt_file},
{persona_file}, {task_file}, {directory}, {task_id}, {dispatch_id}, {attempt},
{agent_type}, {organization}; and, as arguments of their own or behind
--option=, {prompt} and {persona}. {{word}} becomes {word}.

Options
${optionLines}
  --help               print this

Environment
  TASK_SERVICE_URL     address of the API, including /api
  TASK_SERVICE_TOKEN_FILE
                       file with an access token that somebody else renews; or
  OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET (or OIDC_CLIENT_SECRET_FILE)
                       a client of the identity provider that is in the group;
                       OIDC_SCOPE and OIDC_RESOURCE are sent if set

With \`npm start\` on the same machine nothing needs to be set:
  npm run executor -- --slots 1 -- node examples/executors/echo.mjs

SIGTERM and SIGINT take no more tasks and wait for the running workers; a second
one, a second or more later, gives their tasks back. Ends with 0; 64 for a wrong
command line, 75 if another process has the name, 78 for wrong settings.
`;
