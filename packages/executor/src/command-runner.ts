// Runs a command for each task: directory, environment, process, limits, and no trace afterwards but its log (D-40).
import type { Handoff } from "@task-service/contract";
import { fillPlaceholders } from "./command-placeholders.ts";
import type { RunTask } from "./dispatch-work.ts";
import { createWorkerDirectory, removeWorkerDirectory } from "./worker-directory.ts";
import type { MemoryLimit } from "./worker-limits.ts";
import { openWorkerLog, type WorkerLogOutlets } from "./worker-log.ts";
import { type Command, runWorkerProcess } from "./worker-process.ts";

export interface CommandRunnerOptions extends WorkerLogOutlets {
  /** May hold placeholders, which are checked by `placeholderFault`. */
  readonly command: Command;
  /** Where the workers' directories are made. */
  readonly workDirectory: string;
  /** Where each worker's output is kept; nowhere without it. */
  readonly logDirectory?: string | undefined;
  readonly serviceUrl: string;
  readonly tokenFile: string;
  /** What the workers inherit, {@link withoutSecrets}. */
  readonly environment: NodeJS.ProcessEnv;
  /** A worker that takes longer is ended, and its task given back. */
  readonly timeLimitSeconds?: number | undefined;
  readonly memoryLimit?: MemoryLimit | undefined;
}

const withheld = /^(OIDC_|DATABASE_|GIT_READ_TOKEN|SIGNING_SECRET)/;

/** The environment without the service's and the executor's own settings: workers have the token file (D-08). */
export const withoutSecrets = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !withheld.test(name) && name !== "TASK_SERVICE_TOKEN"),
  );

/**
 * A worker that ends with 0 has done its task; anything else gives it back. The last lines of its standard output become
 * the task's result, unless somebody, the worker itself perhaps, has set one since the hand-over.
 */
export const createCommandRunner = (options: CommandRunnerOptions): RunTask => {
  const { command, workDirectory, logDirectory, serviceUrl, tokenFile, environment, log } = options;
  const { timeLimitSeconds, memoryLimit = (one) => one } = options;
  const inherited = withoutSecrets(environment);

  const environmentOf = ({ task, dispatch }: Handoff): NodeJS.ProcessEnv => ({
    ...inherited,
    TASK_ID: task.id,
    DISPATCH_ID: dispatch.id,
    TASK_SERVICE_URL: serviceUrl,
    TASK_SERVICE_TOKEN_FILE: tokenFile,
  });

  return async (handoff, signal) => {
    const workerLog = openWorkerLog(handoff, logDirectory, options);
    const limit = timeLimitSeconds === undefined ? signal : AbortSignal.timeout(timeLimitSeconds * 1_000);
    let directory: string | undefined;
    try {
      directory = await createWorkerDirectory(workDirectory, handoff);
      await runWorkerProcess({
        command: memoryLimit(fillPlaceholders(command, handoff, directory)),
        directory,
        environment: environmentOf(handoff),
        input: handoff.task.prompt,
        print: workerLog.print,
        signal: AbortSignal.any([signal, limit]),
      });
      const result = workerLog.lastLines();
      return result === undefined ? undefined : { result, isResultFallback: true };
    } catch (error) {
      throw limit.aborted && !signal.aborted ? new Error(`time limit of ${timeLimitSeconds} s reached`) : error;
    } finally {
      workerLog.close();
      const left = directory;
      if (left) await removeWorkerDirectory(left).catch((error: Error) => log(`left behind ${left}: ${error.message}`));
    }
  };
};
