// What the development provider promises: JWT access tokens for one audience, with groups, and no questions of consent.
import { randomBytes } from "node:crypto";
import type { Configuration, interactionPolicy, JWK, KoaContextWithOIDC } from "oidc-provider";
import { accounts, clients, groupsOfClient } from "./identity-accounts.ts";
import { deviceCodePage, deviceConfirmPage, logoutPage, messagePage } from "./identity-pages.ts";

export const audience = "task-service";
/** What the provider itself calls the API; clients need not send it. */
const resource = "urn:task-service";
const scopes = ["openid", "profile", "offline_access"];
const daySeconds = 86_400;

export interface IdentityOptions {
  key: JWK;
  redirectOrigins: string[];
  accessTokenSeconds: number;
  /** Browsers share cookies between the ports of a host; stacks side by side must not. */
  cookieSuffix: string;
  /** The provider's own policy. Handed in because importing the provider is not silent. */
  policy: ReturnType<typeof interactionPolicy.base>;
}

export const identityConfiguration = (options: IdentityOptions): Configuration => ({
  clients: clients(options.redirectOrigins),
  jwks: { keys: [options.key] },
  responseTypes: ["code"],
  scopes,
  claims: { profile: ["name", "preferred_username"] },
  findAccount: (_, sub) => {
    const account = accounts.find(({ username }) => username === sub);
    return account && { accountId: sub, claims: () => ({ sub, ...profile(sub) }) };
  },
  extraTokenClaims: (_, token) =>
    token.kind === "ClientCredentials" ? { groups: groupsOfClient(token.clientId ?? "") } : profile(accountIdOf(token)),
  cookies: {
    keys: [randomBytes(32)],
    names: {
      session: `session_${options.cookieSuffix}`,
      interaction: `interaction_${options.cookieSuffix}`,
      resume: `resume_${options.cookieSuffix}`,
    },
  },
  // Every lifetime is named, as the provider remarks on each it has to assume.
  ttl: {
    AccessToken: (_, { accountId }) =>
      accounts.find(({ username }) => username === accountId)?.accessTokenSeconds ?? options.accessTokenSeconds,
    AuthorizationCode: 60,
    ClientCredentials: options.accessTokenSeconds,
    DeviceCode: 600,
    Grant: 14 * daySeconds,
    IdToken: 3600,
    Interaction: 3600,
    RefreshToken: 14 * daySeconds,
    Session: 14 * daySeconds,
  },
  interactions: {
    policy: options.policy.filter(({ name }) => name !== "consent"),
    url: (_, { uid }) => `/login/${uid}`,
  },
  loadExistingGrant: grantEverything,
  // `offline_access` would need a consent screen; the grant type alone decides.
  issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
  clientBasedCORS: (_, origin) => options.redirectOrigins.includes(origin),
  renderError: (ctx, out) => {
    ctx.type = "html";
    ctx.body = messagePage("That did not work", `${out.error}: ${out.error_description ?? "no details"}`);
  },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: (ctx, form, _out, error) => {
        ctx.body = deviceCodePage(form, Boolean(error));
      },
      userCodeConfirmSource: (ctx, form, client, _device, userCode) => {
        ctx.body = deviceConfirmPage(form, client.clientName ?? client.clientId, userCode);
      },
      successSource: (ctx) => {
        ctx.body = messagePage("You are signed in", "Return to your device; this page can be closed.");
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: scopes.join(" "),
        audience,
        accessTokenFormat: "jwt",
        accessTokenTTL: options.accessTokenSeconds,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
    revocation: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = logoutPage(form);
      },
      postLogoutSuccessSource: (ctx) => {
        ctx.body = messagePage("You are signed out", "This page can be closed.");
      },
    },
  },
});

const profile = (username: string) => {
  const account = accounts.find((one) => one.username === username);
  return { preferred_username: username, name: account?.name, groups: account?.groups };
};

const accountIdOf = (token: object): string =>
  "accountId" in token && typeof token.accountId === "string" ? token.accountId : "";

const grantEverything = async ({ oidc }: KoaContextWithOIDC) => {
  const { client, session } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const existing = grantId && (await oidc.provider.Grant.find(grantId));
  if (existing) return existing;
  const grant = new oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(scopes.join(" "));
  grant.addResourceScope(resource, scopes.join(" "));
  await grant.save();
  return grant;
};
