// An executor whose workers are commands, as `npm run executor` and `npx task-service run` start it (D-40).
import { mkdir } from "node:fs/promises";
import { createClient } from "@task-service/contract";
import { createCommandRunner } from "./command-runner.ts";
import { type Credentials, createFileCredentials } from "./credentials.ts";
import { startExecutor } from "./executor.ts";
import type { ExecutorArguments } from "./executor-arguments.ts";
import type { CredentialsSettings, ExecutorSettings } from "./executor-settings.ts";
import { createGrantedCredentials } from "./granted-credentials.ts";
import { createRenewingFetch } from "./renewing-fetch.ts";
import { listenForStop } from "./stop-signals.ts";

const openCredentials = async (settings: CredentialsSettings): Promise<Credentials> =>
  "tokenFile" in settings ? createFileCredentials(settings.tokenFile) : createGrantedCredentials(settings);

const stopReason = "the executor was stopped";

/** Takes tasks until SIGINT or SIGTERM, and resolves when every worker has ended and the service knows. */
export const runCommandExecutor = async (
  { command, name, slots, filters, workDirectory, stopAtOnce }: ExecutorArguments,
  { serviceUrl, credentials: credentialsSettings }: ExecutorSettings,
): Promise<void> => {
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  await mkdir(workDirectory, { recursive: true });
  const credentials = await openCredentials(credentialsSettings);
  const { tokenFile, token } = credentials;
  const client = createClient({ baseUrl: serviceUrl, token, fetch: createRenewingFetch(credentials) });
  const run = createCommandRunner({
    command,
    workDirectory,
    serviceUrl,
    tokenFile,
    environment: process.env,
    print: (stream, line) => process[stream].write(`${line}\n`),
    log,
  });

  const stopped = Promise.withResolvers<void>();
  const executor = startExecutor({ client, name, slots, filters, run, log });
  log(`executor ${name}: takes up to ${slots} at once from ${serviceUrl}`);
  const stop = (): void => stopped.resolve(executor.stop(stopReason));
  const drain = (): void => {
    log("takes no more tasks and waits for its workers; a second signal gives their tasks back");
    stopped.resolve(executor.drain());
  };
  const unlisten = listenForStop({ onFirst: stopAtOnce ? stop : drain, onLater: stop });
  await stopped.promise;
  unlisten();
  await credentials.close();
  log(`executor ${name}: stopped`);
};
