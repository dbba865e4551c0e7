// What `npm start` is told: flags, its own variables, and the settings of D-36, which win over its defaults.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { executorClient, memberGroup } from "./identity-accounts.ts";
import { audience } from "./identity-configuration.ts";

export const root = join(import.meta.dirname, "..");

export interface DevSettings {
  /** Without sample data and without the demo executor. */
  isBare: boolean;
  isReset: boolean;
  host: string;
  ports: Record<"entryPoint" | "api" | "ui" | "identityProvider" | "gitHost" | "postgres", number>;
  dataDir: string;
  reposDir: string;
}

export const usage = `Usage: npm start -- [--bare] [--reset]

  --bare   no sample data and no demo executor
  --reset  begin with empty data

  DEV_PORT   the entry point (8080); the five ports after it are the other units'
  DATA_DIR   where data is kept (.data)
  REPOS_DIR  what the git host serves, as <owner>/<repo>/… (examples/repos)
  DEV_HOST   listen here instead of loopback
`;

/** Throws an error whose message is for the reader. */
export const readDevSettings = (args: string[], env: NodeJS.ProcessEnv): DevSettings => {
  const options = { bare: { type: "boolean", default: false }, reset: { type: "boolean", default: false } } as const;
  const { bare, reset } = parseArgs({ args, options }).values;
  const first = Number(env["DEV_PORT"] || 8080);
  if (!Number.isInteger(first) || first < 1 || first > 65_530)
    throw new Error(`DEV_PORT must be a port from 1 to 65530, not "${env["DEV_PORT"]}".`);
  return {
    isBare: bare,
    isReset: reset,
    host: env["DEV_HOST"] || "127.0.0.1",
    ports: {
      entryPoint: first,
      api: first + 1,
      ui: first + 2,
      identityProvider: first + 3,
      gitHost: first + 4,
      postgres: first + 5,
    },
    dataDir: resolve(root, env["DATA_DIR"] || ".data"),
    reposDir: resolve(root, env["REPOS_DIR"] || join("examples", "repos")),
  };
};

/** A setting or the content of the file that `<NAME>_FILE` names (D-36); undefined if neither is given. */
export const settingFrom = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const file = env[`${name}_FILE`];
  return (file ? readFileSync(file, "utf8").trim() : env[name]) || undefined;
};

/** `defaults` for what the environment does not say. HOST and PORT of the shell are meant for something else. */
const withDefaults = (env: NodeJS.ProcessEnv, defaults: Record<string, string>, own: Record<string, string>) => ({
  ...env,
  ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !env[name] && !env[`${name}_FILE`])),
  ...own,
});

export interface UnitEnvironments {
  api: NodeJS.ProcessEnv;
  ui: NodeJS.ProcessEnv;
  executor: NodeJS.ProcessEnv;
}

/** What each unit is told. The API and the UI stay on loopback: they are reached through the entry point. */
export const unitEnvironments = ({ ports }: DevSettings, env: NodeJS.ProcessEnv): UnitEnvironments => {
  const issuer = `http://localhost:${ports.identityProvider}`;
  const shared = { LOG_LEVEL: "warn", OIDC_ISSUER: issuer };
  const api = {
    ...shared,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${ports.postgres}/task_service`,
    OIDC_AUDIENCE: audience,
    OIDC_GROUP: memberGroup,
    GIT_URL: `http://localhost:${ports.gitHost}`,
    GIT_READ_TOKEN: "development-read-token",
    SIGNING_SECRET: "development-signing-secret",
    INSECURE_DEVELOPMENT: "true",
    PUBLIC_URL: `http://localhost:${ports.entryPoint}`,
  };
  const ui = {
    ...shared,
    API_BASE: "/api",
    OIDC_CLIENT_ID: "task-service-ui",
    OIDC_SCOPE: "openid profile offline_access",
  };
  const executor = {
    ...shared,
    TASK_SERVICE_URL: `http://127.0.0.1:${ports.entryPoint}/api`,
    OIDC_CLIENT_ID: executorClient.id,
    OIDC_CLIENT_SECRET: executorClient.secret,
    // Slow enough to watch the queue move.
    ECHO_SECONDS: "4",
  };
  const at = (port: number) => ({ HOST: "127.0.0.1", PORT: String(port) });
  return {
    api: withDefaults(env, api, at(ports.api)),
    ui: withDefaults(env, ui, at(ports.ui)),
    executor: withDefaults(withoutOtherClient(env), executor, {}),
  };
};

/** A client id without a secret is the UI's: the executor's client has both. */
const withoutOtherClient = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  if (settingFrom(env, "OIDC_CLIENT_SECRET")) return env;
  const { OIDC_CLIENT_ID: _, ...others } = env;
  return others;
};
