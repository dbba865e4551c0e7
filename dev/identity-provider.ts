// The development OIDC provider (D-37): real discovery, keys, PKCE, device flow and client credentials, with known logins.

import { listenHttp } from "./http-listener.ts";
import { identityConfiguration } from "./identity-configuration.ts";
import { handleLogin } from "./identity-login.ts";
import { signingKey } from "./identity-signing-key.ts";
import { requireFreePort } from "./port-check.ts";

export interface IdentityProviderOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Holds the signing key. */
  dataDir: string;
  /** Where browsers reach the UI; all may redirect here and call from there. */
  redirectOrigins: string[];
  /** `http://localhost:<port>` by default. */
  issuer?: string;
  accessTokenSeconds?: number;
}

export interface IdentityProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Sessions and refresh tokens live in memory; only the signing key is kept. */
export const startIdentityProvider = async (options: IdentityProviderOptions): Promise<IdentityProvider> => {
  const { host, dataDir, redirectOrigins, accessTokenSeconds = 300 } = options;
  const port = options.port || (await requireFreePort(0, host));
  const issuer = options.issuer ?? `http://localhost:${port}`;
  const key = await signingKey(dataDir);
  const provider = await quietly(async () => {
    const { interactionPolicy, Provider } = await import("oidc-provider");
    const policy = interactionPolicy.base();
    const settings = { key, redirectOrigins, accessTokenSeconds, cookieSuffix: `${port}`, policy };
    return new Provider(issuer, identityConfiguration(settings));
  });
  const callback = provider.callback();
  const { stop } = await listenHttp(
    (request, response) => {
      if (!request.url?.startsWith("/login/")) return callback(request, response);
      handleLogin(provider, request, response).catch(() => response.destroy());
    },
    { host, port },
  );
  return { issuer, stop };
};

/** It warns that Node 26 is no LTS release and that memory is no store for production. Neither is news here. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
};
