// `task-service login` and `logout`: a token for the person at the terminal, kept for the next commands.

import { createClient } from "@task-service/contract";
import { Command } from "commander";
import { browserLogin } from "../browser-login.ts";
import { knownServiceUrl, normalServiceUrl } from "../cli-settings.ts";
import { deviceLogin, type SignInRequest } from "../device-login.ts";
import { CommandFailure, exitCodes, notSignedIn, wrongUse } from "../exit-codes.ts";
import { loginOf } from "../login-credentials.ts";
import { changeLogins, loginFile, withLogin, withoutLogin } from "../login-file.ts";
import { given } from "../option-values.ts";
import { discover, GrantRefusal, postForm } from "../provider-requests.ts";
import { shortened } from "../shortened-text.ts";
import { surroundings } from "../surroundings.ts";
import { print, printable, printJson, say } from "../terminal.ts";

interface LoginOptions {
  issuer?: string;
  clientId?: string;
  scope?: string;
  resource?: string;
  device?: boolean;
  browser: boolean;
  json?: boolean;
}

/** A public client with PKCE, loopback redirects and the device flow. */
const defaultClientId = "task-service-cli";
const defaultScope = "openid profile offline_access";

const loginHelp = `
ADDRESS is where the service is, https://tasks.example, say; left out, TASK_SERVICE_URL,
the one signed in to last, or what \`npm start\` runs here. The identity provider is the one
its web page uses, or --issuer. It needs a public client with PKCE, the redirect address
http://127.0.0.1/callback on any port, or the device flow.

The tokens are kept in $XDG_CONFIG_HOME/task-service/logins.json (~/.config), for you
alone (mode 600), renewed when they end, and sent to this service only.

Examples
  $ task-service login https://tasks.example
  $ task-service login --device                        no browser on this machine
  $ task-service login https://tasks.example --issuer https://id.example --client-id cli
`;

interface PageSettings {
  issuer?: string;
  scope?: string;
  resource?: string | null;
}

/** What the web page beside the API tells browsers of the provider; nothing if there is none. */
const pageSettings = async (serviceUrl: string): Promise<PageSettings> => {
  const url = `${serviceUrl.replace(/\/api$/, "")}/config.json`;
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const settings = (await response?.json().catch(() => undefined)) as { oidc?: PageSettings } | undefined;
  return settings?.oidc ?? {};
};

const signIn = async (issuer: string, request: SignInRequest, { device, browser }: LoginOptions) => {
  const provider = await discover(issuer);
  const tokens = device ? deviceLogin(provider, request) : browserLogin(provider, request, { opensBrowser: browser });
  return tokens.catch((error: unknown) => {
    throw error instanceof GrantRefusal ? notSignedIn(`The identity provider refused: ${error.message}.`) : error;
  });
};

const addressOr = async (named: string | undefined): Promise<string> => {
  const serviceUrl = named === undefined ? await knownServiceUrl(surroundings().env) : normalServiceUrl(named);
  if (!serviceUrl) throw wrongUse("Name the service: `task-service login https://tasks.example`.");
  return serviceUrl;
};

const login = async (named: string | undefined, options: LoginOptions): Promise<void> => {
  const serviceUrl = await addressOr(named);
  const page = await pageSettings(serviceUrl);
  const issuer = options.issuer ?? surroundings().env["OIDC_ISSUER"] ?? page.issuer;
  if (!issuer) {
    throw new CommandFailure(
      exitCodes.configuration,
      `${shortened(serviceUrl)} does not say who signs in: give --issuer.`,
    );
  }
  const scope = options.scope ?? page.scope ?? defaultScope;
  const resource = options.resource ?? page.resource ?? undefined;
  const client_id = options.clientId ?? defaultClientId;
  const tokens = await signIn(issuer, { clientId: client_id, scope, resource }, options);
  const kept = loginOf({ issuer, client_id, scope, ...given({ resource }) }, tokens);
  // The service has the last word: a token it does not take is not kept.
  const me = await createClient({ baseUrl: serviceUrl, token: () => kept.access_token }).getMe();
  await changeLogins(loginFile(surroundings().env), async (logins) => withLogin(logins, serviceUrl, kept));
  if (options.json) printJson(me);
  else print(`Signed in to ${serviceUrl} as ${printable(me.name)}.`);
};

export const loginCommand = (): Command =>
  new Command("login")
    .argument("[address]", "where it is")
    .option("--device", "with a code, typed into a browser anywhere")
    .option("--no-browser", "print the address and open no browser")
    .option("--issuer <url>", "the identity provider, if the service does not say")
    .option("--client-id <id>", `this program's name there (${defaultClientId})`)
    .option("--scope <scopes>", `what to ask for (the web page's, or ${defaultScope})`)
    .option("--resource <uri>", "for providers that choose the audience by it (RFC 8707)")
    .option("--json", "print who you are, as the API has it")
    .addHelpText("after", loginHelp)
    .action(login);

const logoutHelp = `
Forgets the tokens on this machine and has the identity provider revoke them, if it can.

Examples
  $ task-service logout
`;

const logout = async (named: string | undefined): Promise<void> => {
  const serviceUrl = await addressOr(named);
  const file = loginFile(surroundings().env);
  let forgotten: { issuer: string; client_id: string; refresh_token?: string | undefined } | undefined;
  await changeLogins(file, async (kept) => {
    forgotten = kept.logins[serviceUrl];
    return forgotten ? withoutLogin(kept, serviceUrl) : kept;
  });
  if (!forgotten) return say(`You were not signed in to ${shortened(serviceUrl)}.`);
  const { issuer, client_id, refresh_token: token } = forgotten;
  if (token) {
    await discover(issuer)
      .then(
        ({ revocation_endpoint: url }) => url && postForm(url, { token, client_id, token_type_hint: "refresh_token" }),
      )
      .catch((error: Error) => say(`The identity provider could not be told: ${error.message}`));
  }
  print(`Signed out of ${serviceUrl}.`);
};

export const logoutCommand = (): Command =>
  new Command("logout")
    .argument("[address]", "which service; the one signed in to last, if left out")
    .addHelpText("after", logoutHelp)
    .action(logout);
