// The command line of the executor: what it takes, how it is read, and what it says of itself.
import { existsSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { TaskFilters } from "./executor.ts";
import type { Command } from "./worker-process.ts";

export const usage = `Usage: npm run executor -- [options] -- COMMAND [ARGUMENT…]

Takes tasks and starts COMMAND for each of them, in a fresh directory that holds
TASK.json and PERSONA.md, with the prompt on standard input. A worker that ends
with 0 has done its task; anything else returns it to the queue.

Options
  --slots N            tasks worked on at once, 1 to 100 (1)
  --name NAME          how the service calls this executor (host name and "-1");
                       one process uses a name at a time, a restart keeps it
  --organization SLUG  only tasks of this organization
  --agent-type SLUG    only tasks of this agent type; may be repeated; a slug
                       needs --organization, an id does not
  --work-dir DIR       where the workers' directories are made (the system's
                       temporary directory)
  --stop-at-once       the first SIGTERM or SIGINT gives the tasks back instead
                       of waiting for their workers
  --help               print this

Environment
  TASK_SERVICE_URL     address of the API, including /api
  TASK_SERVICE_TOKEN_FILE
                       file with an access token that somebody else renews; or
  OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET (or OIDC_CLIENT_SECRET_FILE)
                       a client of the identity provider that is in the group;
                       OIDC_SCOPE and OIDC_RESOURCE are sent if set

With \`npm start\` on the same machine:
  TASK_SERVICE_URL=http://localhost:8080/api OIDC_ISSUER=http://localhost:8083 \\
  OIDC_CLIENT_ID=executor OIDC_CLIENT_SECRET=executor-secret \\
  npm run executor -- --slots 1 -- node examples/executors/echo.mjs

SIGTERM and SIGINT take no more tasks and wait for the running workers; a second
one, a second or more later, gives their tasks back. Ends with 0, or 64 for a
wrong command line, 78 for wrong settings.
`;

export interface ExecutorArguments {
  readonly command: Command;
  readonly name: string;
  readonly slots: number;
  readonly filters: TaskFilters;
  readonly workDirectory: string;
  readonly stopAtOnce: boolean;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

const options = {
  slots: { type: "string", default: "1" },
  name: { type: "string", default: `${hostname()}-1` },
  organization: { type: "string" },
  "agent-type": { type: "string", multiple: true },
  "work-dir": { type: "string", default: tmpdir() },
  "stop-at-once": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const parseOptions = (args: string[]) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/**
 * Reads the arguments, or null for `--help`. Throws {@link UsageError}. Workers run elsewhere, so an argument of the
 * command that contains a slash and names something that exists in one of `startDirectories` is made absolute.
 */
export const parseExecutorArguments = (
  args: readonly string[],
  startDirectories: readonly string[],
): ExecutorArguments | null => {
  const end = args.indexOf("--");
  const own = parseOptions(end < 0 ? [...args] : args.slice(0, end));
  if (own.help) return null;

  const [file, ...rest] = end < 0 ? [] : args.slice(end + 1);
  if (!file) throw new UsageError("no command: put it behind `--`");
  const slots = Number(own.slots);
  if (!/^\d+$/.test(own.slots) || slots < 1 || slots > 100) throw new UsageError("--slots is a number from 1 to 100");
  if (!/^[^\s\p{C}]{1,100}$/u.test(own.name)) throw new UsageError("--name has 1 to 100 visible characters");
  const agentTypes = own["agent-type"] ?? [];
  if (!own.organization && !agentTypes.every((one) => uuid.test(one))) {
    throw new UsageError("--agent-type with a slug needs --organization");
  }

  const found = (argument: string): string => {
    if (!argument.includes("/") || isAbsolute(argument)) return argument;
    return startDirectories.map((directory) => resolve(directory, argument)).find(existsSync) ?? argument;
  };
  return {
    command: [found(file), ...rest.map(found)],
    name: own.name,
    slots,
    filters: { ...(own.organization && { organization: own.organization }), agentTypes },
    workDirectory: resolve(own["work-dir"]),
    stopAtOnce: own["stop-at-once"],
  };
};
