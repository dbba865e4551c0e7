// Runs a command for each task: directory, environment, process, and no trace afterwards (D-40).
import type { Handoff } from "@task-service/contract";
import type { RunTask } from "./dispatch-work.ts";
import { createWorkerDirectory, removeWorkerDirectory } from "./worker-directory.ts";
import { type Command, runWorkerProcess } from "./worker-process.ts";

export interface CommandRunnerOptions {
  readonly command: Command;
  /** Where the workers' directories are made. */
  readonly workDirectory: string;
  readonly serviceUrl: string;
  readonly tokenFile: string;
  /** What the workers inherit, {@link withoutSecrets}. */
  readonly environment: NodeJS.ProcessEnv;
  /** Takes a line of a worker's output, marked with the end of its task's id. */
  readonly print: (stream: "stdout" | "stderr", line: string) => void;
  readonly log: (line: string) => void;
}

const withheld = /^(OIDC_|DATABASE_|GIT_READ_TOKEN|SIGNING_SECRET)/;

/** The environment without the service's and the executor's own settings: workers have the token file (D-08). */
export const withoutSecrets = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !withheld.test(name)));

/** A worker that ends with 0 has done its task; anything else gives it back. */
export const createCommandRunner = (options: CommandRunnerOptions): RunTask => {
  const { command, workDirectory, serviceUrl, tokenFile, environment, print, log } = options;
  const inherited = withoutSecrets(environment);

  const environmentOf = ({ task, dispatch }: Handoff): NodeJS.ProcessEnv => ({
    ...inherited,
    TASK_ID: task.id,
    DISPATCH_ID: dispatch.id,
    TASK_SERVICE_URL: serviceUrl,
    TASK_SERVICE_TOKEN_FILE: tokenFile,
  });

  return async (handoff, signal) => {
    const { task } = handoff;
    const directory = await createWorkerDirectory(workDirectory, handoff);
    try {
      await runWorkerProcess({
        command,
        directory,
        environment: environmentOf(handoff),
        input: task.prompt,
        print: (stream, line) => print(stream, `[${task.id.slice(-6)}] ${line}`),
        signal,
      });
    } finally {
      await removeWorkerDirectory(directory).catch((error: Error) => log(`left behind ${directory}: ${error.message}`));
    }
  };
};
