// What the command line asks an OpenID provider: discovery, tokens, device codes, revocation (OIDC Discovery 1.0, RFC 6749).
import { CommandFailure, exitCodes, notSignedIn, outOfReach } from "./exit-codes.ts";

export interface Provider {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly authorization_endpoint?: string;
  readonly device_authorization_endpoint?: string;
  readonly revocation_endpoint?: string;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/** The provider's `error`; `authorization_pending`, say. */
export class GrantRefusal extends Error {
  override readonly name = "GrantRefusal";
  readonly code: string;

  constructor(code: string, description: string | undefined) {
    super(description ? `${code}, ${description}` : code);
    this.code = code;
  }
}

const timeoutMs = 15_000;

const send = async (url: string, init: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: "error", signal }).catch((error: unknown) => {
    throw outOfReach(`The identity provider at ${url}`, error);
  });
  const body = await response.json().catch(() => undefined);
  return { status: response.status, body: (body ?? {}) as Record<string, unknown> };
};

/** The provider as it describes itself. Rejects with a failure if there is none, or if it calls itself otherwise. */
export const discover = async (issuer: string): Promise<Provider> => {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { status, body } = await send(url, { headers: { accept: "application/json" } });
  if (typeof body["token_endpoint"] !== "string") {
    throw new CommandFailure(exitCodes.configuration, `${url} answered ${status} and describes no OpenID provider.`);
  }
  if (body["issuer"] !== issuer) {
    const called = `The provider calls itself ${String(body["issuer"])}, not ${issuer}`;
    throw new CommandFailure(exitCodes.configuration, `${called}: name it exactly so with --issuer.`);
  }
  return body as unknown as Provider;
};

/** Posts a form of a public client. Rejects with {@link GrantRefusal} when the provider says no. */
export const postForm = async <T>(url: string, fields: Record<string, string | undefined>): Promise<T> => {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const headers = { accept: "application/json", connection: "close" };
  const { status, body } = await send(url, { method: "POST", headers, body: new URLSearchParams(given) });
  if (status >= 200 && status < 300) return body as T;
  if (typeof body["error"] !== "string") {
    throw new CommandFailure(exitCodes.outOfReach, `The identity provider answered ${status} at ${url}.`);
  }
  throw new GrantRefusal(body["error"], body["error_description"] as string | undefined);
};

/** Asks for tokens. Rejects with {@link GrantRefusal}, or a failure for an answer without a token. */
export const requestTokens = async (
  provider: Provider,
  fields: Record<string, string | undefined>,
): Promise<TokenAnswer> => {
  const answer = await postForm<Partial<TokenAnswer>>(provider.token_endpoint, fields);
  if (!answer.access_token) throw notSignedIn("The identity provider answered without an access token.");
  return answer as TokenAnswer;
};
