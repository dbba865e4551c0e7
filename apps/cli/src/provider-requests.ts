// What the command line asks an OpenID provider: discovery, tokens, device codes, revocation (OIDC Discovery 1.0, RFC 6749).
import { CommandFailure, exitCodes, notSignedIn, outOfReach } from "./exit-codes.ts";
import { shortened } from "./shortened-text.ts";

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
    super(shortened(description ? `${code}, ${description}` : code));
    this.code = code;
  }
}

const timeoutMs = 15_000;

const send = async (url: string, init: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: "error", signal }).catch((error: unknown) => {
    throw outOfReach(`The identity provider at ${shortened(url)}`, error);
  });
  const body = await response.json().catch(() => undefined);
  return { status: response.status, body: (body ?? {}) as Record<string, unknown> };
};

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Nothing secret goes over an open network, and a browser is given nothing but web pages (RFC 8414; RFC 8252, 8.3). */
const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
};

const unusable = (what: string, address: unknown): CommandFailure =>
  new CommandFailure(
    exitCodes.configuration,
    `${what} must be an https address, or http on this machine, and is ${shortened(String(address))}.`,
  );

const endpoints = [
  "token_endpoint",
  "authorization_endpoint",
  "device_authorization_endpoint",
  "revocation_endpoint",
] as const;

/**
 * The provider as it describes itself. Rejects with a failure if there is none, if it calls itself otherwise, or if its
 * address or one of its endpoints is neither https nor http on a loopback address.
 */
export const discover = async (issuer: string): Promise<Provider> => {
  if (!isTrustworthy(issuer)) throw unusable("The identity provider's address", issuer);
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { status, body } = await send(url, { headers: { accept: "application/json" } });
  if (typeof body["token_endpoint"] !== "string") {
    throw new CommandFailure(
      exitCodes.configuration,
      `${shortened(url)} answered ${status} and describes no OpenID provider.`,
    );
  }
  if (body["issuer"] !== issuer) {
    const called = `The provider calls itself ${shortened(String(body["issuer"]))}, not ${shortened(issuer)}`;
    throw new CommandFailure(exitCodes.configuration, `${called}: name it exactly so with --issuer.`);
  }
  for (const name of endpoints) {
    const address = body[name];
    if (address !== undefined && !(typeof address === "string" && isTrustworthy(address)))
      throw unusable(`The ${name} of ${shortened(issuer)}`, address);
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
    throw new CommandFailure(exitCodes.outOfReach, `The identity provider answered ${status} at ${shortened(url)}.`);
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
