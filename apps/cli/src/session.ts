// A connection to the service for one command: the settings, the credentials, and the contract's client over them.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "@task-service/contract";
import { type Credentials, createRenewingFetch, openCredentials } from "@task-service/executor";
import { checkAnswers } from "./answer-shape.ts";
import { type CliCredentials, readCliSettings } from "./cli-settings.ts";
import { createLoginCredentials } from "./login-credentials.ts";
import { surroundings, temporaryDirectory } from "./surroundings.ts";

export interface Session {
  readonly serviceUrl: string;
  readonly client: Client;
  readonly credentials: Credentials;
  /** Renews a refused token and repeats the request once. */
  readonly fetch: typeof fetch;
  token(): Promise<string>;
}

/** A token that nobody renews, in a file for workers (D-08). */
const fixed = async (token: string): Promise<Credentials> => {
  const directory = await mkdtemp(join(temporaryDirectory(), "task-service-token-"));
  const tokenFile = join(directory, "token");
  await writeFile(tokenFile, token, { mode: 0o600 });
  const current = () => Promise.resolve(token);
  return { tokenFile, token: current, renew: current, close: () => rm(directory, { recursive: true, force: true }) };
};

/** What holds the token of `settings`; `close` it at the end. */
export const openCliCredentials = (settings: CliCredentials, serviceUrl: string): Promise<Credentials> => {
  if ("token" in settings) return fixed(settings.token);
  if ("loginFile" in settings) return createLoginCredentials(settings.loginFile, serviceUrl);
  return openCredentials(settings);
};

/** Runs `work` with a session of the environment's settings, and removes afterwards what the credentials wrote. */
export const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
  const { serviceUrl, credentials: settings } = await readCliSettings(surroundings().env);
  const credentials = await openCliCredentials(settings, serviceUrl);
  const renewingFetch = createRenewingFetch(credentials);
  const token = (): Promise<string> => credentials.token();
  try {
    const client = checkAnswers(createClient({ baseUrl: serviceUrl, token, fetch: renewingFetch }), serviceUrl);
    return await work({ serviceUrl, client, credentials, fetch: renewingFetch, token });
  } finally {
    await credentials.close();
  }
};
