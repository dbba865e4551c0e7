// The executor library: for the command line, the demo, and runners of other kinds.

export { runCommandExecutor } from "./command-executor.ts";
export { type CommandRunnerOptions, createCommandRunner } from "./command-runner.ts";
export { type Credentials, CredentialsError, createFileCredentials } from "./credentials.ts";
export type { RunTask } from "./dispatch-work.ts";
export { type Executor, type ExecutorOptions, startExecutor, type TaskFilters } from "./executor.ts";
export { type ExecutorArguments, parseExecutorArguments, UsageError, usage } from "./executor-arguments.ts";
export { type ExecutorSettings, readExecutorSettings, SettingsError } from "./executor-settings.ts";
export { createGrantedCredentials } from "./granted-credentials.ts";
export { createRenewingFetch } from "./renewing-fetch.ts";
export type { Command } from "./worker-process.ts";
