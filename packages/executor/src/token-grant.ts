// The OAuth client-credentials grant against an OpenID provider (D-08; RFC 6749, section 4.4).
import { CredentialsError } from "./credentials.ts";

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  /** RFC 8707, for providers that choose the audience by it. */
  readonly resource?: string;
}

export interface Grant {
  readonly token: string;
  readonly lifeMs: number;
}

const timeoutMs = 10_000;
/** When the provider does not say (RFC 6749, section 5.1 only recommends it). */
const assumedLifeSeconds = 300;

const readJson = async (url: string, init: RequestInit): Promise<{ ok: boolean; status: number; body: unknown }> => {
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
  const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.any(signals) }).catch(
    (error: Error) => {
      const cause = error.cause instanceof Error ? error.cause : error;
      throw new CredentialsError(`${url} cannot be reached: ${cause.message}`);
    },
  );
  const body: unknown = await response.json().catch(() => undefined);
  return { ok: response.ok, status: response.status, body };
};

const text = (body: unknown, name: string): string | undefined => {
  const value = (body as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === "string" && value ? value : undefined;
};

const tokenEndpoint = async (issuer: string, signal: AbortSignal): Promise<string> => {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { status, body } = await readJson(url, { headers: { accept: "application/json" }, signal });
  const endpoint = text(body, "token_endpoint");
  if (!endpoint) throw new CredentialsError(`${url} answered ${status} without a token_endpoint`);
  return endpoint;
};

/** HTTP Basic as RFC 6749, section 2.3.1 has it: both halves form-encoded first. */
const basic = ({ clientId, clientSecret }: ClientSettings): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64")}`;

/** Asks for a new token. Rejects with {@link CredentialsError}, which never holds the secret, also when `signal` aborts. */
export const requestToken = async (settings: ClientSettings, signal: AbortSignal): Promise<Grant> => {
  const { scope, resource } = settings;
  const { ok, status, body } = await readJson(await tokenEndpoint(settings.issuer, signal), {
    method: "POST",
    signal,
    headers: { authorization: basic(settings), accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      ...(scope && { scope }),
      ...(resource && { resource }),
    }),
  });
  const token = text(body, "access_token");
  if (!ok || !token) {
    const why = [text(body, "error"), text(body, "error_description")].filter(Boolean).join(", ");
    throw new CredentialsError(`the identity provider answered ${status}${why && `: ${why}`}`);
  }
  const lifeSeconds = Number((body as { expires_in?: unknown }).expires_in) || assumedLifeSeconds;
  return { token, lifeMs: lifeSeconds * 1_000 };
};
