// Which service a command speaks to and whose token it sends: the environment first, then `login`, then `npm start`.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { type CredentialsSettings, isToken, readExecutorSettings, SettingsError } from "@task-service/executor";
import { notSignedIn } from "./exit-codes.ts";
import { loginFile, readLogins } from "./login-file.ts";
import { shortened } from "./shortened-text.ts";

export type CliCredentials = CredentialsSettings | { readonly token: string } | { readonly loginFile: string };

export interface CliSettings {
  /** Including the public prefix, without a slash at the end. */
  readonly serviceUrl: string;
  readonly credentials: CliCredentials;
}

const tokenSettings = [
  "TASK_SERVICE_TOKEN",
  "TASK_SERVICE_TOKEN_FILE",
  "OIDC_CLIENT_SECRET",
  "OIDC_CLIENT_SECRET_FILE",
];
const repository = resolve(import.meta.dirname, "../../..");

/** An address without a path is the entry point: the API is at `/api` there (D-02). Throws {@link SettingsError}. */
export const normalServiceUrl = (address: string): string => {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SettingsError([`the service's address is not an http or https address: ${shortened(address)}`]);
  }
  if (url.username || url.search || url.hash) {
    throw new SettingsError([`the service's address must hold no user, query or fragment`]);
  }
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path || "/api"}`;
};

/** What `npm start` left for executors on this machine; empty if it never ran here. */
const developmentEnvironment = ({ DATA_DIR = ".data" }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const file = join(resolve(repository, DATA_DIR), "executor.env");
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
};

const granted = (environment: NodeJS.ProcessEnv, serviceUrl: string): CliSettings => ({
  ...readExecutorSettings({ ...environment, TASK_SERVICE_URL: serviceUrl }),
  serviceUrl,
});

/** Where the service is, for `login`: undefined if nothing says so. */
export const knownServiceUrl = async (environment: NodeJS.ProcessEnv): Promise<string | undefined> => {
  const named = environment["TASK_SERVICE_URL"];
  if (named) return normalServiceUrl(named);
  const { current } = await readLogins(loginFile(environment));
  return current ?? developmentEnvironment(environment)["TASK_SERVICE_URL"];
};

/**
 * Reads the settings of a command that speaks to the service. Rejects with {@link SettingsError} for what is wrong, or with
 * the failure `not signed in` when nothing says whose token to send. An empty value counts as not set.
 */
export const readCliSettings = async (environment: NodeJS.ProcessEnv): Promise<CliSettings> => {
  const named = environment["TASK_SERVICE_URL"];
  if (tokenSettings.some((name) => environment[name])) {
    if (!named) throw new SettingsError(["TASK_SERVICE_URL is not set: the address of the API, including /api"]);
    const serviceUrl = normalServiceUrl(named);
    const token = environment["TASK_SERVICE_TOKEN"];
    if (!token) return granted(environment, serviceUrl);
    if (!isToken(token)) throw new SettingsError(["TASK_SERVICE_TOKEN does not hold a token on one line"]);
    return { serviceUrl, credentials: { token } };
  }
  const file = loginFile(environment);
  const { current, logins } = await readLogins(file);
  const serviceUrl = named ? normalServiceUrl(named) : current;
  if (serviceUrl && logins[serviceUrl]) return { serviceUrl, credentials: { loginFile: file } };
  const development = developmentEnvironment(environment);
  const developmentUrl = development["TASK_SERVICE_URL"];
  if (developmentUrl && (serviceUrl ?? developmentUrl) === developmentUrl) return granted(development, developmentUrl);
  const where = serviceUrl ? ` at ${shortened(serviceUrl)}` : "";
  throw notSignedIn(
    `You are not signed in${where}. Sign in with \`task-service login${serviceUrl ? "" : " ADDRESS"}\`.`,
  );
};
