// What the executor reads from the environment (D-36): where the service is and how to get a token for it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ClientSettings } from "./token-grant.ts";

export type CredentialsSettings = { readonly tokenFile: string } | ClientSettings;

export interface ExecutorSettings {
  /** Including the public prefix `/api`, without a slash at the end. */
  readonly serviceUrl: string;
  readonly credentials: CredentialsSettings;
}

/** Every problem of a configuration at once. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Throws {@link SettingsError}. An empty value counts as not set. */
export const readExecutorSettings = (environment: NodeJS.ProcessEnv): ExecutorSettings => {
  const problems: string[] = [];

  const required = (name: string): string => {
    const value = environment[name];
    if (!value) problems.push(`${name} is not set`);
    return value ?? "";
  };

  const address = (name: string): string => {
    const value = required(name);
    if (value && !/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
      problems.push(`${name} is not an http or https address: ${value}`);
    }
    return value.replace(/\/+$/, "");
  };

  const secret = (name: string): string => {
    const file = environment[`${name}_FILE`];
    if (!file) return required(name);
    if (environment[name]) problems.push(`${name} and ${name}_FILE are both set`);
    try {
      const value = readFileSync(file, "utf8").trim();
      if (!value) problems.push(`${name}_FILE is empty: ${file}`);
      return value;
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
      return "";
    }
  };

  const credentials = (): CredentialsSettings => {
    const { TASK_SERVICE_TOKEN_FILE: tokenFile, OIDC_SCOPE: scope, OIDC_RESOURCE: resource } = environment;
    if (tokenFile) return { tokenFile: resolve(tokenFile) };
    return {
      issuer: address("OIDC_ISSUER"),
      clientId: required("OIDC_CLIENT_ID"),
      clientSecret: secret("OIDC_CLIENT_SECRET"),
      ...(scope && { scope }),
      ...(resource && { resource }),
    };
  };

  const settings = { serviceUrl: address("TASK_SERVICE_URL"), credentials: credentials() };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
};
