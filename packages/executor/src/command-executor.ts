// An executor whose workers are commands, as `npm run executor` and `npx task-service run` start it (D-40).
import { setImmediate as moment } from "node:timers/promises";
import { createCommandRunner } from "./command-runner.ts";
import { connect } from "./connect.ts";
import type { Credentials } from "./credentials.ts";
import { createExecutor } from "./executor.ts";
import type { ExecutorArguments } from "./executor-arguments.ts";
import { lockName } from "./name-lock.ts";
import { makeFolder } from "./option-folder.ts";
import { listenForStop } from "./stop-signals.ts";
import { createTerminalOutput, endWithoutReader } from "./terminal-output.ts";
import { createMemoryLimit } from "./worker-limits.ts";

export interface CommandExecutorOptions extends ExecutorArguments {
  /** Including `/api`. */
  readonly serviceUrl: string;
  /** Closed when the executor has ended. */
  readonly credentials: Credentials;
}

const stopReason = "the executor was stopped";
/** For a terminal that stands still; what it has not shown by then it never will. */
const lastOutputMs = 5_000;

/**
 * Takes tasks until SIGINT or SIGTERM, and resolves when every worker has ended and the service knows. Its lines and
 * those of the workers go to this process's output. Rejects with `NameTakenError` or `SettingsError` before anything is
 * taken, with the first also later: when another process, which does not see the lock, uses the name.
 */
export const runCommandExecutor = async (options: CommandExecutorOptions): Promise<void> => {
  const { credentials, name, serviceUrl } = options;
  try {
    const unlock = lockName(name, serviceUrl);
    await runUntilStopped(options).finally(unlock);
  } finally {
    await credentials.close();
    endWithoutReader(lastOutputMs);
  }
};

const runUntilStopped = async (options: CommandExecutorOptions): Promise<void> => {
  const { name, slots, filters, leaseSeconds, serviceUrl, credentials, workDirectory, logDirectory, memoryLimitBytes } =
    options;
  const print = { stdout: createTerminalOutput(process.stdout), stderr: createTerminalOutput(process.stderr) };
  const log = (line: string): void => print.stdout(`${new Date().toISOString()} ${line}`);
  const memoryLimit = memoryLimitBytes === undefined ? undefined : createMemoryLimit(memoryLimitBytes);
  if (memoryLimitBytes !== undefined && !memoryLimit) log("this system limits no memory: --memory-limit does nothing");
  await makeFolder(workDirectory, "name another with --work-dir");
  if (logDirectory !== undefined) {
    await makeFolder(logDirectory, "name another with --logs, or keep no output with --no-logs", true);
  }
  const run = createCommandRunner({
    ...options,
    memoryLimit,
    tokenFile: credentials.tokenFile,
    environment: process.env,
    print: (stream, line) => print[stream](line),
    log,
  });

  const executor = createExecutor({
    client: connect(serviceUrl, credentials),
    name,
    slots,
    filters,
    leaseSeconds,
    run,
    log,
  });
  log(`executor ${name}: takes up to ${slots} at once from ${serviceUrl}`);
  if (logDirectory !== undefined) log(`output of the workers is kept in ${logDirectory}`);
  const stop = (): void => void executor.stop(stopReason);
  const drain = (): void => {
    log("takes no more tasks and waits for its workers; a second signal gives their tasks back");
    void executor.drain();
  };
  const unlisten = listenForStop({ onFirst: options.stopAtOnce ? stop : drain, onLater: stop });
  const rival = await executor.ended;
  log(`executor ${name}: stopped`);
  // Output that fails says so a moment later, and until then it is an executor's (`endWithReader`).
  await moment();
  unlisten();
  if (rival) throw rival;
};
