// An executor whose workers are commands, as `npm run executor` and `npx task-service run` start it (D-40).
import { mkdir } from "node:fs/promises";
import { setImmediate as moment } from "node:timers/promises";
import { createCommandRunner } from "./command-runner.ts";
import { connect } from "./connect.ts";
import type { Credentials } from "./credentials.ts";
import { createExecutor } from "./executor.ts";
import type { ExecutorArguments } from "./executor-arguments.ts";
import { lockName } from "./name-lock.ts";
import { listenForStop } from "./stop-signals.ts";
import { createMemoryLimit } from "./worker-limits.ts";

export interface CommandExecutorOptions extends ExecutorArguments {
  /** Including `/api`. */
  readonly serviceUrl: string;
  /** Closed when the executor has ended. */
  readonly credentials: Credentials;
}

const stopReason = "the executor was stopped";

/**
 * Takes tasks until SIGINT or SIGTERM, and resolves when every worker has ended and the service knows. Its lines and
 * those of the workers go to this process's output. Rejects with `NameTakenError` or `SettingsError` before anything is taken.
 */
export const runCommandExecutor = async (options: CommandExecutorOptions): Promise<void> => {
  const { credentials, name, serviceUrl } = options;
  try {
    const unlock = lockName(name, serviceUrl);
    await runUntilStopped(options).finally(unlock);
  } finally {
    await credentials.close();
  }
};

const runUntilStopped = async (options: CommandExecutorOptions): Promise<void> => {
  const { name, slots, filters, leaseSeconds, serviceUrl, credentials, workDirectory, logDirectory, memoryLimitBytes } =
    options;
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  const memoryLimit = memoryLimitBytes === undefined ? undefined : createMemoryLimit(memoryLimitBytes);
  if (memoryLimitBytes !== undefined && !memoryLimit) log("this system limits no memory: --memory-limit does nothing");
  await mkdir(workDirectory, { recursive: true });
  if (logDirectory !== undefined) await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const run = createCommandRunner({
    ...options,
    memoryLimit,
    tokenFile: credentials.tokenFile,
    environment: process.env,
    print: (stream, line) => process[stream].write(`${line}\n`),
    log,
  });

  const stopped = Promise.withResolvers<void>();
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
  const stop = (): void => stopped.resolve(executor.stop(stopReason));
  const drain = (): void => {
    log("takes no more tasks and waits for its workers; a second signal gives their tasks back");
    stopped.resolve(executor.drain());
  };
  const unlisten = listenForStop({ onFirst: options.stopAtOnce ? stop : drain, onLater: stop });
  await stopped.promise;
  log(`executor ${name}: stopped`);
  // Output that fails says so a moment later, and until then it is an executor's (`endWithReader`).
  await moment();
  unlisten();
};
