// `npm start`: the whole service on this machine, from one command, until Ctrl-C (D-37).
import { prepareDataFolder } from "./data-folder.ts";
import {
  type DevSettings,
  readDevSettings,
  settingFrom,
  type UnitEnvironments,
  unitEnvironments,
  usage,
} from "./dev-settings.ts";
import { writeExecutorFile } from "./executor-file.ts";
import { accounts } from "./identity-accounts.ts";
import { PortTakenError, requireFreePort } from "./port-check.ts";
import { seed } from "./seed.ts";
import { createStack, type Stack } from "./stack.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Halt {
  /** Why it went wrong; undefined when somebody asked for the end. */
  reason: string | undefined;
}

/** A terminal's Ctrl-C arrives twice, from the terminal and from npm: the second means nothing more than the first. */
const untilHalt = (stack: Stack): Promise<Halt> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve({ reason: undefined }));
    process.on("uncaughtException", ({ message }) => resolve({ reason: message }));
    void stack.ended.then((reason) => resolve({ reason }));
  });

/** PostgreSQL's port is not among them: a server left over from a killed start may hold it, and is taken over. */
const requireFreePorts = async ({ host, ports: { postgres: _, ...ports } }: DevSettings): Promise<void> => {
  for (const port of Object.values(ports)) await requireFreePort(port, host);
};

const table = ({ ports, dataDir, reposDir, isBare }: DevSettings, { api }: UnitEnvironments): string => {
  const at = (port: number, path = ""): string => `http://localhost:${port}${path}`;
  const logins = accounts.map(({ username, groups }) => (groups.length ? username : `${username} (not a member)`));
  const rows = [
    ["Task Service", at(ports.entryPoint)],
    ["API", at(ports.entryPoint, "/api/docs")],
    ["Sign in as", `${logins.join(", ")}; the password is the name`],
    ["Identity provider", api["OIDC_ISSUER"]],
    ["Git host", `${api["GIT_URL"]} serves ${reposDir}`],
    ["Data", dataDir],
    ["Demo executor", isBare ? "none (--bare)" : "takes tasks, one at a time"],
  ];
  const lines = rows.map(([name = "", value]) => `  ${name.padEnd(18)} ${value}`);
  return `\n${lines.join("\n")}\n\n  Ready after ${(performance.now() / 1000).toFixed(1)} s. Ctrl-C stops everything.\n`;
};

/** Runs until a signal or the end of a unit; answers the exit code. */
const main = async (): Promise<number> => {
  const { env } = process;
  const settings = readDevSettings(process.argv.slice(2), env);
  if (settings.host !== "127.0.0.1")
    say(`Warning: with DEV_HOST=${settings.host} others can reach this development service and its known passwords.`);
  await requireFreePorts(settings);
  const folder = await prepareDataFolder(settings.dataDir, settings.isReset);
  const environments = unitEnvironments(settings, env);
  await writeExecutorFile(folder.executor, environments.executor);
  const stack = createStack(settings, env, folder, environments);
  const halted = untilHalt(stack);

  const bringUp = async (): Promise<undefined> => {
    await stack.start();
    if (!settings.isBare) await seedFrom(environments.executor);
  };
  try {
    const early = await Promise.race([bringUp(), halted]);
    if (!early) say(table(settings, environments));
    const { reason } = early ?? (await halted);
    if (reason) process.stderr.write(`${reason}: everything is being stopped.\n`);
    return reason ? 1 : 0;
  } finally {
    await stack.stop();
  }
};

/** Sample data is a courtesy: the service is up without it. */
const seedFrom = (executor: NodeJS.ProcessEnv): Promise<void> =>
  seed({
    baseUrl: executor["TASK_SERVICE_URL"] ?? "",
    issuer: executor["OIDC_ISSUER"] ?? "",
    clientId: executor["OIDC_CLIENT_ID"] ?? "",
    clientSecret: settingFrom(executor, "OIDC_CLIENT_SECRET") ?? "",
  }).catch((error: Error) => say(`No sample data: ${error.message}`));

if (process.argv.includes("--help")) say(usage);
else
  try {
    process.exitCode = await main();
  } catch (error) {
    const hint = error instanceof PortTakenError ? " DEV_PORT=<port> moves all six." : "";
    process.stderr.write(`${(error as Error).message}${hint}\n`);
    process.exitCode = 1;
  }
