// `npm run executor`: arguments and settings in, an exit code out.
import { runCommandExecutor } from "./command-executor.ts";
import { openCredentials } from "./connect.ts";
import { parseExecutorArguments, UsageError } from "./executor-arguments.ts";
import { readExecutorSettings, SettingsError } from "./executor-settings.ts";
import { exitCodes, usage } from "./executor-usage.ts";
import { NameTakenError } from "./name-taken-error.ts";
import { endWithReader } from "./stop-signals.ts";

const run = async (): Promise<void> => {
  const startDirectories = [process.env["INIT_CWD"] ?? process.cwd(), process.cwd()];
  const executorArguments = parseExecutorArguments(process.argv.slice(2), startDirectories);
  if (!executorArguments) return void process.stdout.write(usage);
  const { serviceUrl, credentials } = readExecutorSettings(process.env);
  await runCommandExecutor({ ...executorArguments, serviceUrl, credentials: await openCredentials(credentials) });
};

const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    return exitCodes.wrongUsage;
  }
  if (error instanceof NameTakenError) {
    process.stderr.write(`The executor ends: ${error.message}\n`);
    return exitCodes.nameTaken;
  }
  if (error instanceof SettingsError) {
    const problems = error.problems.map((problem) => `  ${problem}\n`).join("");
    process.stderr.write(`The executor cannot start:\n${problems}\`npm run executor -- --help\` lists the settings.\n`);
    return exitCodes.wrongSettings;
  }
  throw error;
};

endWithReader();
process.exitCode = await run().then(() => 0, exitCodeOf);
