// The UI's server: the page with its policy, hashed files for ever, settings, and nothing else.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "./server-app.ts";
import { readSettings } from "./server-settings.ts";

const { settings } = readSettings({ OIDC_ISSUER: "https://idp.example/realm", OIDC_RESOURCE: "urn:tasks" });
const html = { accept: "text/html,application/xhtml+xml" };
let dist = "";
let app: ReturnType<typeof buildServer>;

beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), "ui-dist-"));
  await mkdir(path.join(dist, "assets"));
  await writeFile(path.join(dist, "index.html"), '<meta name="csp-nonce" nonce="__CSP_NONCE__">');
  await writeFile(path.join(dist, "color-scheme.js"), "{}");
  await writeFile(path.join(dist, "assets", "index-abc.js"), "plain");
  await writeFile(path.join(dist, "assets", "index-abc.js.br"), "compressed");
  app = buildServer(settings, dist);
});

afterAll(async () => {
  await app.close();
  await rm(dist, { recursive: true });
});

test.each(["/", "/tasks/1", "/signed-in?code=a&state=b"])(
  "%s is the page, with a fresh nonce in its policy",
  async (url) => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { statusCode, headers, body } = await app.inject({ url, headers: html });
        const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? "";
        expect(statusCode).toBe(200);
        expect(headers).toMatchObject({
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cross-origin-opener-policy": "same-origin",
        });
        expect(String(headers["content-security-policy"]).split("; ")).toEqual([
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data:",
          "font-src 'self'",
          "connect-src 'self' https://idp.example",
          "form-action 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  },
);

test("hashed files are compressed beforehand and kept for ever; others are asked for again", async () => {
  const hashed = await app.inject({ url: "/assets/index-abc.js", headers: { "accept-encoding": "br" } });
  expect(hashed.body).toBe("compressed");
  expect(hashed.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    "cache-control": "public, max-age=31536000, immutable",
  });
  const other = await app.inject({ url: "/color-scheme.js" });
  expect(other.headers["cache-control"]).toBe("no-cache");
});

test("what is not there is 404 unless a person navigates to it", async () => {
  expect((await app.inject({ url: "/assets/index-old.js" })).statusCode).toBe(404);
  expect((await app.inject({ url: "/../server.ts" })).statusCode).toBe(404);
  expect((await app.inject({ method: "POST", url: "/tasks", headers: html })).statusCode).toBe(404);
});

test("the page itself is never served without its policy", async () => {
  const { headers, body } = await app.inject({ url: "/index.html", headers: html });
  expect(body).not.toContain("__CSP_NONCE__");
  expect(headers["content-security-policy"]).toBeDefined();
});

test("says where the API and the provider are, and that it is alive", async () => {
  expect((await app.inject({ url: "/config.json" })).json()).toEqual({
    api_base: "/api",
    oidc: {
      issuer: "https://idp.example/realm",
      client_id: "task-service-ui",
      scope: "openid profile offline_access",
      resource: "urn:tasks",
    },
  });
  expect((await app.inject({ url: "/healthz" })).json()).toEqual({ status: "ok" });
});

test("finds every problem of its settings at once", () => {
  const { problems } = readSettings({ PORT: "x", API_BASE: "api", OIDC_ISSUER: "idp", OIDC_SCOPE: "profile" });
  expect(problems.map((problem) => problem.split(" ")[0])).toEqual(["PORT", "API_BASE", "OIDC_ISSUER", "OIDC_SCOPE"]);
  expect(readSettings({}).problems).toEqual(["OIDC_ISSUER is missing: the address of the identity provider"]);
});
