// The tokens of the development provider, fetched the ways its clients do (D-37).
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";

const origin = "http://localhost:18190";
let folder = "";
let provider: IdentityProvider;
const start = () =>
  startIdentityProvider({
    host: "127.0.0.1",
    port: 0,
    dataDir: folder,
    redirectOrigins: [origin],
    accessTokenSeconds: 60,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  provider = await start();
});

afterAll(async () => {
  await provider.stop();
  await rm(folder, { recursive: true });
});

test("A machine gets a token with its groups for nothing but the grant type and HTTP Basic", async () => {
  const { protectedHeader, payload } = await verified((await clientToken("executor", "executor-secret")).access_token);
  expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "at+jwt" });
  expect(payload).toMatchObject({
    sub: "executor",
    client_id: "executor",
    aud: "task-service",
    groups: ["task-service"],
  });
  expect(lifetimeOf(payload)).toBe(60);
  const outsider = await verified((await clientToken("outsider", "outsider-secret")).access_token);
  expect(outsider.payload).toMatchObject({ sub: "outsider", aud: "task-service", groups: [] });
});

test("A wrong client secret gets nothing", async () => {
  expect(await clientToken("executor", "outsider-secret")).toMatchObject({ error: "invalid_client" });
});

test.each([
  ["alice", ["task-service"]],
  ["mallory", []],
])("%s signs in with PKCE and is told apart by groups", async (username, groups) => {
  const { access_token, refresh_token } = await signIn(username, username);
  const { payload } = await verified(access_token);
  expect(payload).toMatchObject({ sub: username, preferred_username: username, aud: "task-service", groups });
  expect(payload["name"]).toMatch(/^[A-Z]/);
  expect(refresh_token).toBeTypeOf("string");
});

test("Tokens of ebba run out in seconds, renewed ones too", async () => {
  const { access_token, refresh_token } = await signIn("ebba", "ebba");
  expect(lifetimeOf((await verified(access_token)).payload)).toBe(5);
  const renewed = await token({ grant_type: "refresh_token", refresh_token, client_id: "task-service-ui" });
  expect(lifetimeOf((await verified(renewed.access_token)).payload)).toBe(5);
});

test("A refresh token works once", async () => {
  const { refresh_token } = await signIn("bob", "bob");
  const refresh = () => token({ grant_type: "refresh_token", refresh_token, client_id: "task-service-ui" });
  const renewed = await refresh();
  expect((await verified(renewed.access_token)).payload).toMatchObject({ sub: "bob", groups: ["task-service"] });
  expect(renewed.refresh_token).not.toBe(refresh_token);
  expect(await refresh()).toMatchObject({ error: "invalid_grant" });
});

test("A wrong password is told, and the name stays in the form", async () => {
  const { response } = await submitLogin("alice", "wrong");
  expect(response.status).toBe(401);
  const page = await response.text();
  expect(page).toContain("Username and password do not match.");
  expect(page).toContain('value="alice"');
});

test("An unknown redirect is refused, and what was typed is shown as text", async () => {
  const request = new URLSearchParams({ client_id: "task-service-ui", redirect_uri: "http://evil.example/<b>" });
  const response = await fetch(`${provider.issuer}/auth?${request}`);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain("<b>");
  const { response: form } = await submitLogin('"><b>', "x");
  expect(await form.text()).not.toContain("<b>");
});

test("The UI's origin may call the token endpoint, another may not", async () => {
  const call = (from: string) =>
    fetch(`${provider.issuer}/token`, {
      method: "POST",
      headers: { origin: from },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: "task-service-ui" }),
    });
  expect((await call(origin)).headers.get("access-control-allow-origin")).toBe(origin);
  expect((await call("http://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
});

test("The command line signs in by device code", async () => {
  const client_id = "task-service-cli";
  const device = await post("/device/auth", { client_id, scope: "openid profile" });
  const poll = () =>
    token({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: device["device_code"] ?? "",
      client_id,
    });
  expect(await poll()).toMatchObject({ error: "authorization_pending" });
  const browser = cookieJar();
  const form = await (await browser(`${provider.issuer}/device`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? "";
  const confirm = { xsrf, user_code: device["user_code"] ?? "", confirm: "yes" };
  const login = await browser(`${provider.issuer}/device`, confirm);
  await browser(login.url, { username: "alice", password: "alice" });
  expect((await verified((await poll()).access_token)).payload).toMatchObject({ sub: "alice", client_id });
});

test("Signing out asks nothing and the next sign-in wants a password again", async () => {
  const { browser } = await submitLogin("alice", "alice");
  const query = new URLSearchParams({ client_id: "task-service-ui", post_logout_redirect_uri: `${origin}/` });
  const page = await (await browser(`${provider.issuer}/session/end?${query}`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const left = await browser(`${provider.issuer}/session/end/confirm`, { xsrf, logout: "yes" });
  expect(left.headers.get("location")).toBe(`${origin}/`);
  expect((await browser(authorizationUrl("c"))).url).toContain("/login/");
});

test("Tokens outlive a restart, as the key is kept for its owner alone", async () => {
  const { access_token } = await clientToken("executor", "executor-secret");
  expect((await stat(join(folder, "signing-key.json"))).mode & 0o777).toBe(0o600);
  const { issuer } = provider;
  await provider.stop();
  provider = await startIdentityProvider({
    host: "127.0.0.1",
    port: Number(new URL(issuer).port),
    dataDir: folder,
    redirectOrigins: [origin],
  });
  expect((await verified(access_token)).payload.sub).toBe("executor");
});

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;

const post = async (path: string, form: Record<string, string>, headers = {}): Promise<Record<string, string>> =>
  json(await fetch(`${provider.issuer}${path}`, { method: "POST", headers, body: new URLSearchParams(form) }));

const token = async (form: Record<string, string>, headers = {}): Promise<Tokens> =>
  (await post("/token", form, headers)) as Record<keyof Tokens, string>;

const clientToken = (id: string, secret: string) =>
  token({ grant_type: "client_credentials" }, { authorization: `Basic ${btoa(`${id}:${secret}`)}` });

const verified = async (accessToken: string) => {
  const keys = await json<JSONWebKeySet>(await fetch(`${provider.issuer}/jwks`));
  return jwtVerify(accessToken, createLocalJWKSet(keys), { issuer: provider.issuer, audience: "task-service" });
};

const lifetimeOf = ({ exp = 0, iat = 0 }: JWTPayload): number => exp - iat;

/** A browser's part: keeps cookies, follows redirects as long as they stay with the provider. */
const cookieJar = () => {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form && { method: "POST", body: new URLSearchParams(form) };
    const response = await fetch(url, { ...body, headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = new URL(response.headers.get("location") ?? origin, url);
    return next.origin === new URL(provider.issuer).origin ? visit(next.href) : response;
  };
  return visit;
};

const authorizationUrl = (challenge: string): string =>
  `${provider.issuer}/auth?${new URLSearchParams({
    client_id: "task-service-ui",
    response_type: "code",
    redirect_uri: `${origin}/signed-in`,
    scope: "openid profile offline_access",
    code_challenge: createHash("sha256").update(challenge).digest("base64url"),
    code_challenge_method: "S256",
  })}`;

const submitLogin = async (username: string, password: string) => {
  const verifier = randomBytes(32).toString("base64url");
  const browser = cookieJar();
  const { url } = await browser(authorizationUrl(verifier));
  return { response: await browser(url, { username, password }), verifier, browser };
};

const signIn = async (username: string, password: string): Promise<Tokens> => {
  const { response, verifier } = await submitLogin(username, password);
  const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const redirect_uri = `${origin}/signed-in`;
  return token({
    grant_type: "authorization_code",
    code,
    redirect_uri,
    client_id: "task-service-ui",
    code_verifier: verifier,
  });
};
