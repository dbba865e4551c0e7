// The executor library: for the command line, the demo, and runners of other kinds.

export { type CommandExecutorOptions, runCommandExecutor } from "./command-executor.ts";
export { placeholderFault, placeholderNames } from "./command-placeholders.ts";
export { type CommandRunnerOptions, createCommandRunner } from "./command-runner.ts";
export { connect, openCredentials } from "./connect.ts";
export { type Credentials, CredentialsError, createFileCredentials, isToken } from "./credentials.ts";
export type { RunTask } from "./dispatch-work.ts";
export { createExecutor, type Executor } from "./executor.ts";
export { type ExecutorArguments, parseExecutorArguments, UsageError } from "./executor-arguments.ts";
export { defaultLogDirectory, executorFlags } from "./executor-flags.ts";
export type { ExecutorOptions, TaskFilters } from "./executor-options.ts";
export {
  type CredentialsSettings,
  type ExecutorSettings,
  readExecutorSettings,
  SettingsError,
} from "./executor-settings.ts";
export { usage } from "./executor-usage.ts";
export { createGrantedCredentials } from "./granted-credentials.ts";
export { NameTakenError } from "./name-taken-error.ts";
export type { Growth, Pacing } from "./pacing.ts";
export { printable, printableText } from "./printable-text.ts";
export { tryLock } from "./process-lock.ts";
export { createRenewingFetch } from "./renewing-fetch.ts";
export { endWithReader } from "./stop-signals.ts";
export type { WorkReport } from "./work-report.ts";
export type { Command } from "./worker-process.ts";
