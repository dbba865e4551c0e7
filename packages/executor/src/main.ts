// `npm run executor`: arguments and settings in, an exit code out.
import { runCommandExecutor } from "./command-executor.ts";
import { parseExecutorArguments, UsageError, usage } from "./executor-arguments.ts";
import { readExecutorSettings, SettingsError } from "./executor-settings.ts";

/** sysexits.h: EX_USAGE and EX_CONFIG. */
const wrongUsage = 64;
const wrongConfiguration = 78;

const main = async (): Promise<number> => {
  try {
    const startDirectories = [process.env["INIT_CWD"] ?? process.cwd(), process.cwd()];
    const executorArguments = parseExecutorArguments(process.argv.slice(2), startDirectories);
    if (executorArguments) await runCommandExecutor(executorArguments, readExecutorSettings(process.env));
    else process.stdout.write(usage);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      return wrongUsage;
    }
    if (error instanceof SettingsError) {
      const problems = error.problems.map((problem) => `  ${problem}\n`).join("");
      process.stderr.write(
        `The executor cannot start:\n${problems}\`npm run executor -- --help\` lists the settings.\n`,
      );
      return wrongConfiguration;
    }
    throw error;
  }
};

process.exitCode = await main();
