// `npm run bench`: reads the command line, installs the peers at first use, and runs.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CommandLine, readCommandLine, usage } from "./command-line.ts";

const wrongUsage = 64;

const commandLine = (): CommandLine => {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(wrongUsage);
  }
};

/** The peers weigh on nobody who does not measure: they are installed here only, at the versions of the lockfile. */
const ensureInstalled = (): void => {
  if (existsSync(join(import.meta.dirname, "node_modules"))) return;
  process.stdout.write("Installing the peers …\n");
  const { status } = spawnSync("npm", ["ci"], { cwd: import.meta.dirname, stdio: "inherit" });
  if (status !== 0) process.exit(1);
};

const asked = commandLine();
ensureInstalled();
const { run } = await import("./run.ts");
process.exit(await run(asked));
