// The units of the development environment: what each needs, which wait for which, and the order they stop in (D-37).
import { join } from "node:path";
import { createClient } from "@task-service/contract";
import type { DataFolder } from "./data-folder.ts";
import { type DevSettings, root, settingFrom, type UnitEnvironments } from "./dev-settings.ts";
import { startPostgres } from "./embedded-postgres.ts";
import { startEntryPoint } from "./entry-point.ts";
import { startGitHost } from "./git-host.ts";
import { startIdentityProvider } from "./identity-provider.ts";
import { startUiBuild, untilBuilt } from "./ui-build.ts";
import { startUnit, type Unit, untilUp } from "./unit-process.ts";

/** Clients before what they call, the database last. */
const stopOrder = [
  "executor",
  "entry point",
  "api",
  "build",
  "ui",
  "identity provider",
  "git host",
  "postgres",
] as const;
type UnitName = (typeof stopOrder)[number];

export interface Stack {
  /** Settles, with the reason, when a unit ends that nobody stopped. */
  readonly ended: Promise<string>;
  /** Resolves when every unit is up; the API comes last. */
  start(): Promise<void>;
  /** Also in the middle of a start. */
  stop(): Promise<void>;
}

/** A unit whose address the environment gives is not started: something else is in its place (D-36). */
export const createStack = (
  settings: DevSettings,
  env: NodeJS.ProcessEnv,
  folder: DataFolder,
  environments: UnitEnvironments,
): Stack => {
  const { host, ports } = settings;
  const units = new Map<UnitName, Unit>();
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const stopping = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  const add = <U extends Unit>(name: UnitName, unit: U): U => {
    units.set(name, unit);
    void unit.ended?.then(end);
    return unit;
  };
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  const localhost = (port: number): string => `http://localhost:${port}`;

  const startDatabase = async (): Promise<void> => {
    const options = { dataDir: folder.postgres, port: ports.postgres, database: "task_service" };
    const { stop, ended } = await startPostgres(options);
    add("postgres", { stop, ended: ended.then(() => "postgres ended") });
  };

  const startProvider = async (): Promise<void> => {
    const publicOrigin = new URL(environments.api["PUBLIC_URL"] ?? "").origin;
    const origins = [ports.entryPoint, ports.ui].flatMap((port) => [localhost(port), local(port)]);
    const redirectOrigins = [...new Set([publicOrigin, ...origins])];
    const options = { host, port: ports.identityProvider, dataDir: folder.identityProvider, redirectOrigins };
    add("identity provider", await startIdentityProvider(options));
  };

  const startRepositories = async (): Promise<void> => {
    const secret = settingFrom(environments.api, "SIGNING_SECRET") ?? "";
    const readToken = settingFrom(environments.api, "GIT_READ_TOKEN") ?? "";
    const webhook = { url: `${local(ports.api)}/webhooks/git`, secret };
    add("git host", await startGitHost({ host, port: ports.gitHost, reposDir: settings.reposDir, readToken, webhook }));
  };

  const startDoor = async (): Promise<void> => {
    const options = { host, port: ports.entryPoint, apiUrl: local(ports.api), uiUrl: local(ports.ui) };
    add("entry point", await startEntryPoint(options));
  };

  const startUi = async (): Promise<void> => {
    const build = await startUiBuild(env);
    if (build) {
      units.set("build", build);
      await untilBuilt(build, stopping.signal);
    }
    const ui = startUnit({ name: "ui", args: [join(root, "apps/ui/server.ts")], env: environments.ui });
    await untilUp(
      add("ui", ui),
      async (signal) => (await (await fetch(`${local(ports.ui)}/healthz`, { signal })).text()) !== "",
      stopping.signal,
    );
  };

  const startApi = async (): Promise<void> => {
    const api = startUnit({ name: "api", args: [join(root, "apps/api/src/main.ts")], env: environments.api });
    const { getReadiness } = createClient({ baseUrl: local(ports.api) });
    await untilUp(add("api", api), async (signal) => Boolean(await getReadiness({ signal })), stopping.signal);
  };

  const startExecutor = (): void => {
    const command = ["--", process.execPath, join(root, "examples/executors/echo.mjs")];
    // The host's name is left to the executor that somebody starts beside it; what it prints is printed here.
    const options = ["--name", "demo-1", "--slots", "1", "--stop-at-once", "--no-logs"];
    const args = [join(root, "packages/executor/src/main.ts"), ...options, ...command];
    add("executor", startUnit({ name: "executor", args, env: environments.executor }));
  };

  const startAll = async (): Promise<void> => {
    const first = [
      settingFrom(env, "DATABASE_URL") ? undefined : startDatabase(),
      settingFrom(env, "OIDC_ISSUER") ? undefined : startProvider(),
      settingFrom(env, "GIT_URL") ? undefined : startRepositories(),
      startDoor(),
      startUi(),
    ];
    // All settle before the first failure is told, so that whatever has started can be stopped.
    await Promise.allSettled(first);
    await Promise.all(first);
    stopping.signal.throwIfAborted();
    if (!settings.isBare) startExecutor();
    await startApi();
  };

  return {
    ended,
    start: () => {
      starting = startAll();
      return starting;
    },
    stop: async () => {
      stopping.abort();
      await starting.catch(() => undefined);
      for (const name of stopOrder) await units.get(name)?.stop();
    },
  };
};
