// The token of whoever signed in with `login`: renewed before it ends, and kept for the next command.
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Credentials } from "@task-service/executor";
import { notSignedIn } from "./exit-codes.ts";
import { changeLogins, type Login, type Logins, readLogins, withLogin } from "./login-file.ts";
import { discover, GrantRefusal, requestTokens, type TokenAnswer } from "./provider-requests.ts";
import { temporaryDirectory } from "./surroundings.ts";

/** Less is left of a token than a request may take. */
const marginMs = 30_000;
/** When the provider does not say (RFC 6749, section 5.1 only recommends it). */
const assumedLifeSeconds = 300;
const retryMs = 5_000;
/** What a timer can hold. */
const maxTimerMs = 2 ** 31 - 1;

/** The login that an answer of the token endpoint makes, at `nowMs`; a refresh may leave the refresh token as it is. */
export const loginOf = (
  settings: Pick<Login, "issuer" | "client_id" | "scope" | "resource" | "refresh_token">,
  { access_token, refresh_token = settings.refresh_token, expires_in }: TokenAnswer,
  nowMs = Date.now(),
): Login => ({
  ...settings,
  access_token,
  refresh_token,
  expires_at: new Date(nowMs + (expires_in ?? assumedLifeSeconds) * 1000).toISOString(),
});

/** Whether its access token lasts for a request. */
export const isFresh = ({ expires_at }: Login): boolean => Date.parse(expires_at) - Date.now() > marginMs;

const signInEnded = "Your sign-in has ended: sign in again with `task-service login`.";

const refreshed = async (login: Login): Promise<Login> => {
  const { issuer, client_id, resource, refresh_token } = login;
  if (!refresh_token) throw notSignedIn(signInEnded);
  const fields = { grant_type: "refresh_token", refresh_token, client_id, resource };
  const answer = await requestTokens(await discover(issuer), fields).catch((error: unknown) => {
    throw error instanceof GrantRefusal ? notSignedIn(signInEnded) : error;
  });
  return loginOf(login, answer);
};

/** The lock is per file and the refresh token works once: whoever comes second finds the token renewed. */
const renewed = async (file: string, serviceUrl: string, isUsable: (login: Login) => boolean): Promise<Login> => {
  const change = async (kept: Logins): Promise<Logins> => {
    const login = kept.logins[serviceUrl];
    if (!login) throw notSignedIn(signInEnded);
    if (isUsable(login)) return kept;
    return { ...withLogin(kept, serviceUrl, await refreshed(login)), current: kept.current };
  };
  return (await changeLogins(file, change)).logins[serviceUrl] as Login;
};

/**
 * For the service at `serviceUrl`. From the first token on it is renewed ahead of its end, also in the file for workers of
 * `run`, which `close` removes.
 */
export const createLoginCredentials = async (file: string, serviceUrl: string): Promise<Credentials> => {
  const directory = await mkdtemp(join(temporaryDirectory(), "task-service-token-"));
  const tokenFile = join(directory, "token");
  let written = "";
  let timer: NodeJS.Timeout | undefined;

  const renewIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void token().catch(() => renewIn(retryMs)), Math.min(ms, maxTimerMs)).unref();
  };
  const hold = async ({ access_token, expires_at }: Login): Promise<string> => {
    if (access_token !== written) {
      await writeFile(`${tokenFile}.new`, access_token, { mode: 0o600 });
      await rename(`${tokenFile}.new`, tokenFile);
      written = access_token;
      renewIn(Math.max(retryMs, Date.parse(expires_at) - Date.now() - marginMs + 1));
    }
    return access_token;
  };
  const token = async (): Promise<string> => {
    const login = (await readLogins(file)).logins[serviceUrl];
    return hold(login && isFresh(login) ? login : await renewed(file, serviceUrl, isFresh));
  };

  return {
    tokenFile,
    token,
    renew: async (refused) =>
      hold(await renewed(file, serviceUrl, (login) => login.access_token !== refused && isFresh(login))),
    close: async () => {
      clearTimeout(timer);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
