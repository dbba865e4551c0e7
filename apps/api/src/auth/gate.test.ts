// The gate against forged, foreign, stale and misplaced tokens (D-06, D-07; reliability.md 3, rows 1 to 15).
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import type { JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchToken, startTestApp, type TestApp } from "../../test/test-app.ts";
import { nowSeconds, startTokenIssuer, type TokenIssuer } from "../../test/token-issuer.ts";

let issuer: TokenIssuer;
let app: TestApp;
let now = 0;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  app = await startTestApp({ env: { OIDC_ISSUER: issuer.issuer }, keySource: { now: () => Date.now() + now } });
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

const withToken = (token: string) => app.request("/me", { headers: { authorization: `Bearer ${token}` } });
const statusOf = async (token: string | Promise<string>) => (await withToken(await token)).status;
const codeOf = async (token: string | Promise<string>) =>
  (await app.problem("/me", { headers: { authorization: `Bearer ${await token}` } })).code;

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const part = (token: string, index: number) => token.split(".")[index] ?? "";

describe("a genuine token of a member", () => {
  test("passes, and names its actor", async () => {
    const client = app.clientWith(await issuer.sign());
    expect(await client.getMe()).toMatchObject({ sub: "alice-id", name: "alice" });
  });

  test.each([
    ["preferred_username", { preferred_username: "alice", name: "Alice", client_id: "c" }, "alice"],
    ["name", { preferred_username: undefined, name: "Alice", client_id: "c" }, "Alice"],
    ["client_id", { preferred_username: undefined, client_id: "runner", azp: "x" }, "runner"],
    ["azp", { preferred_username: undefined, azp: "x" }, "x"],
    ["sub", { preferred_username: undefined }, "alice-id"],
  ])("is called by its %s (D-09)", async (_, claims, name) => {
    expect((await app.clientWith(await issuer.sign(claims)).getMe()).name).toBe(name);
  });

  test("passes again from memory, until it expires", async () => {
    const token = await issuer.sign({ exp: nowSeconds() + 1, nonce: undefined });
    expect([await statusOf(token), await statusOf(token)]).toEqual([200, 200]);
  });

  test.each([
    ["typ JWT", {}, { typ: "JWT" }],
    ["typ application/at+jwt", {}, { typ: "application/at+jwt" }],
    ["several audiences", { aud: ["other", "task-service"] }, {}],
    ["expiry within the tolerance", { exp: nowSeconds() - 20 }, {}],
    ["nbf within the tolerance", { nbf: nowSeconds() + 20 }, {}],
    ["no iat", { iat: undefined }, {}],
  ])("may have %s", async (_, claims, header) => {
    expect(await statusOf(issuer.sign(claims as JWTPayload, header))).toBe(200);
  });
});

describe("a request without a usable credential is 401", () => {
  test.each([
    ["none", {}],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["no token", { authorization: "Bearer " }],
    ["two words", { authorization: "Bearer a b" }],
    ["not three parts", { authorization: "Bearer abc" }],
    ["five parts", { authorization: "Bearer a.b.c.d.e" }],
    ["broken parts", { authorization: "Bearer !.!.!" }],
    ["a token in a cookie", { cookie: "access_token=x" }],
  ])("%s", async (_, headers) => {
    const response = await app.request("/me", { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test("a token in the query is an unknown parameter at best", async () => {
    expect((await app.request(`/me?access_token=${await issuer.sign()}`, { headers: {} })).status).toBe(401);
  });
});

describe("a forged token is 401", () => {
  const unsigned = (token: string, alg: string) => `${base64url({ alg, typ: "at+jwt" })}.${part(token, 1)}.`;

  test.each(["none", "None", "NONE"])("alg %s", async (alg) => {
    expect(await statusOf(unsigned(await issuer.sign(), alg))).toBe(401);
  });

  test("HS256 signed with the public key", async () => {
    const token = await issuer.sign();
    const signed = `${base64url({ alg: "HS256", typ: "at+jwt", kid: "key-1" })}.${part(token, 1)}`;
    const signature = createHmac("sha256", await issuer.publicKeyPem())
      .update(signed)
      .digest("base64url");
    expect(await statusOf(`${signed}.${signature}`)).toBe(401);
  });

  test("signed with a key of somebody's own, under our kid", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(await statusOf(issuer.sign({}, {}, privateKey as never))).toBe(401);
  });

  test("a changed payload under an old signature, also when the original is remembered", async () => {
    const token = await issuer.sign({ groups: [] });
    expect(await statusOf(token)).toBe(403);
    const claims = JSON.parse(Buffer.from(part(token, 1), "base64url").toString());
    const forged = `${part(token, 0)}.${base64url({ ...claims, groups: ["task-service"] })}.${part(token, 2)}`;
    expect(await statusOf(forged)).toBe(401);
  });

  test.each([
    ["jku", { jku: "http://127.0.0.1:1/keys" }],
    ["x5u", { x5u: "http://127.0.0.1:1/cert" }],
    ["an unknown crit", { crit: ["exp"], exp: 1 }],
  ])("%s in the header is not trusted", async (_, header) => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { alg, kid } = { alg: "RS256", kid: "key-1" };
    const signed = `${base64url({ alg, kid, typ: "at+jwt", ...header })}.${part(await issuer.sign(), 1)}`;
    const signature = sign("sha256", Buffer.from(signed), privateKey).toString("base64url");
    expect(await statusOf(`${signed}.${signature}`)).toBe(401);
  });
});

describe("a signed token that is not for us is 401", () => {
  test.each([
    ["expired", { exp: nowSeconds() - 31 }],
    ["without exp", { exp: undefined }],
    ["exp as text", { exp: String(nowSeconds() + 60) }],
    ["not valid yet", { nbf: nowSeconds() + 60 }],
    ["issued in the future", { iat: nowSeconds() + 60 }],
    ["another issuer", { iss: "https://evil.example" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "other" }],
    ["an audience that contains ours", { aud: "task-service-2" }],
    ["no audience", { aud: undefined }],
    ["no sub", { sub: undefined }],
    ["an ID token's nonce", { nonce: "n" }],
    ["an ID token's at_hash", { at_hash: "h" }],
    ["Keycloak's ID token", { typ: "ID" }],
    ["Keycloak's refresh token", { typ: "Refresh" }],
  ])("%s", async (_, claims) => {
    expect(await codeOf(issuer.sign(claims as JWTPayload))).toBe("unauthenticated");
  });

  test("the issuer with a slash at its end", async () => {
    expect(await statusOf(issuer.sign({ iss: `${issuer.issuer}/` }))).toBe(401);
  });

  test("a header typ of another kind", async () => {
    expect(await statusOf(issuer.sign({}, { typ: "dpop+jwt" }))).toBe(401);
  });

  test("a token of another provider altogether", async () => {
    expect(await statusOf(fetchToken("executor"))).toBe(401);
  });
});

describe("somebody outside the group is 403", () => {
  test.each([
    ["no claim", undefined],
    ["null", null],
    ["an empty list", []],
    ["a number", 7],
    ["a longer name", ["task-service-evil"]],
    ["another case", ["Task-Service"]],
    ["a list in one string", "x,task-service"],
    ["a nested list", [["task-service"]]],
    ["a prototype key", { __proto__: null, constructor: {} }],
  ])("groups: %s", async (_, groups) => {
    const problem = await app.problem("/me", { headers: { authorization: `Bearer ${await issuer.sign({ groups })}` } });
    expect(problem).toMatchObject({ status: 403, code: "not_a_member" });
    expect(problem.detail).toContain("You are not a member of «task-service»");
  });

  test("an Entra overage names the cure", async () => {
    const token = await issuer.sign({
      groups: undefined,
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint: "http://127.0.0.1:1" } },
    });
    const problem = await app.problem("/me", { headers: { authorization: `Bearer ${token}` } });
    expect(problem).toMatchObject({ code: "not_a_member", detail: expect.stringContaining("too many") });
  });
});

describe("keys", () => {
  test("a rotated key is found once; the withdrawn one is refused", async () => {
    const old = await issuer.sign();
    expect(await statusOf(old)).toBe(200);
    await issuer.rotate("key-2");
    now += 31_000;
    expect(await statusOf(issuer.sign())).toBe(200);
    expect(await statusOf(old)).toBe(401);
  });

  test("a rotated key under the old kid is refused until the keys are read again", async () => {
    await issuer.rotate("key-2");
    expect(await statusOf(issuer.sign())).toBe(401);
    now += 31_000;
    await statusOf(issuer.sign({}, { kid: "unknown" }));
    expect(await statusOf(issuer.sign())).toBe(200);
  });

  test.each(["PS256", "ES256", "EdDSA"])("%s keys work", async (alg) => {
    await issuer.rotate(`key-${alg}`, alg);
    now += 31_000;
    expect(await statusOf(issuer.sign())).toBe(200);
  });

  test.each([
    ["nothing", JSON.stringify({ keys: [] })],
    ["a shared secret", JSON.stringify({ keys: [{ kty: "oct", k: "c2VjcmV0", alg: "HS256", kid: "s" }] })],
    ["HTML", "<html>"],
    ["2 MB", JSON.stringify({ keys: [], padding: "x".repeat(2_000_000) })],
  ])("a key set of %s never replaces a good one", async (_, body) => {
    now += 31_000;
    issuer.answerKeysWith({ status: 200, body });
    expect(await statusOf(issuer.sign({}, { kid: "other" }))).toBe(401);
    expect(await statusOf(issuer.sign())).toBe(200);
    issuer.answerKeysWith(undefined);
  });
});

describe("a provider that was never reached", () => {
  test("is 503 with Retry-After, not 401", async () => {
    const away = await startTestApp({ env: { OIDC_ISSUER: "http://127.0.0.1:1" } });
    try {
      const response = await away.request("/me", { headers: { authorization: `Bearer ${await issuer.sign()}` } });
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(await response.json()).toMatchObject({ code: "identity_provider_unavailable" });
    } finally {
      await away.close();
    }
  });
});

describe("what needs no token", () => {
  test.each(["/openapi.json", "/docs/"])("%s", async (path) => {
    expect((await app.request(path, { headers: {} })).status).toBe(200);
  });
  test.each(["/healthz", "/readyz"])("%s, outside the prefix only", async (path) => {
    expect((await fetch(`${app.origin}${path}`)).status).toBe(200);
    expect((await fetch(`${app.baseUrl}${path}`)).status).toBe(404);
  });
});

describe("a flood of refused tokens", () => {
  test("costs one look at the keys, is limited by address, and stops no member", async () => {
    now += 31_000;
    const before = issuer.requests.keys;
    issuer.answerKeysWith({ status: 500, body: "" });
    const strangers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => issuer.sign({}, { kid: `stranger-${n}` })),
    );
    const statuses: number[] = [];
    for (let round = 0; round < 20; round++) statuses.push(...(await Promise.all(strangers.map(statusOf))));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(600);
    expect(issuer.requests.keys - before).toBe(1);
    expect(await statusOf(issuer.sign())).toBe(200);
  });
});
