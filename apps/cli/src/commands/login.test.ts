// login and logout against the development identity provider, and what later commands make of the tokens.
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { startTestApp, type TestApp } from "../../../api/test/test-app.ts";
import { callCli, startCall } from "../../test/cli-call.ts";
import { runCli, startCli, temporaryFolder } from "../../test/cli-process.ts";
import { confirmDevice, createBrowser, signInAt } from "../../test/sign-in-browser.ts";
import type { Login, Logins } from "../login-file.ts";

let app: TestApp;
let home: string;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

beforeEach(async () => {
  home = await temporaryFolder();
});

const environment = () => ({ XDG_CONFIG_HOME: home });
const cli = (...args: string[]) => callCli(args, environment());
const file = () => join(home, "task-service/logins.json");
const logins = async () => JSON.parse(await readFile(file(), "utf8")) as Logins;
const kept = async () => (await logins()).logins[app.baseUrl] as Login;

/** Signs in as `username` through the address the command prints, and resolves to how it ended. */
const logIn = async (username: string, ...args: string[]) => {
  const { printed, says, ended } = startCall(
    ["login", app.baseUrl, "--issuer", inject("issuer"), "--no-browser", ...args],
    environment(),
  );
  await says(/Sign in at http\S+\n/);
  const [, url = ""] = /Sign in at (\S+)/.exec(printed.error) ?? [];
  const page = await (await signInAt(url, username)).text();
  return { page, url, ...(await ended) };
};

/** What is answered to exactly this path. */
const statusOf = async (address: string, path: string): Promise<number | undefined> => {
  const { hostname: host, port } = new URL(address);
  const [response] = (await once(get({ host, port, path, agent: false }), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
};

/** Makes the kept token one that has ended, and is refused besides. */
const spoil = async (changes: Partial<Login> = { expires_at: "2026-01-01T00:00:00.000Z", access_token: "spent" }) => {
  const { current, logins: all } = await logins();
  const login = { ...all[app.baseUrl], ...changes };
  await writeFile(file(), JSON.stringify({ current, logins: { ...all, [app.baseUrl]: login } }));
};

describe("login", () => {
  test("by PKCE on a loopback address keeps tokens for the owner alone, which later commands use", async () => {
    const { code, out, page, url } = await logIn("alice");
    expect([code, out]).toEqual([0, `Signed in to ${app.baseUrl} as alice.\n`]);
    expect(page).toContain("You are signed in");
    const asked = new URL(url).searchParams;
    expect(asked.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, "task-service"))).mode & 0o777).toBe(0o700);
    expect((await cli("list", "--json")).code).toBe(0);
    expect((await callCli(["list"], { ...environment(), TASK_SERVICE_URL: app.baseUrl })).code).toBe(0);
  });

  test("by device code", async () => {
    const { printed, says, ended } = startCall(
      ["login", app.origin, "--issuer", inject("issuer"), "--device", "--json"],
      environment(),
    );
    await says(/confirm the code \S+/);
    const [, userCode = ""] = /confirm the code (\S+)/.exec(printed.error) ?? [];
    await confirmDevice(inject("issuer"), userCode, "bob");
    const { code, out } = await ended;
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ sub: "bob" })]);
    // An address without a path is the entry point: the API is at /api there.
    expect((await logins()).current).toBe(app.baseUrl);
  });

  test("of somebody who is no member keeps nothing and says why", async () => {
    const { code, error } = await logIn("mallory");
    expect([code, error]).toEqual([1, expect.stringMatching(/group|member/)]);
    await expect(stat(file())).rejects.toThrow("ENOENT");
  });

  test("takes no answer that is not for it", async () => {
    const { child, printed, says } = startCli(
      ["login", app.baseUrl, "--issuer", inject("issuer"), "--no-browser"],
      environment(),
    );
    await says(/Sign in at http\S+\n/);
    const [, url = ""] = /Sign in at (\S+)/.exec(printed.error) ?? [];
    const back = new URL(url).searchParams.get("redirect_uri") ?? "";
    expect((await createBrowser()(`${back}?code=stolen&state=guessed`)).status).toBe(404);
    expect(await statusOf(back, "//")).toBe(404);
    expect(child.exitCode).toBeNull();
  });

  test("needs to know service and provider", async () => {
    expect((await cli("login")).code).toBe(2);
    expect(await cli("login", app.baseUrl)).toMatchObject({ code: 78, error: expect.stringContaining("--issuer") });
    expect((await cli("login", app.baseUrl, "--issuer", "http://127.0.0.1:9")).code).toBe(4);
    const other = `${inject("issuer")}/`;
    expect(await cli("login", app.baseUrl, "--issuer", other)).toMatchObject({
      code: 78,
      error: expect.stringContaining(`calls itself ${inject("issuer")}`),
    });
  });
});

describe("the token", () => {
  test("is renewed when it has ended, once for processes at the same time", async () => {
    await logIn("alice");
    const { refresh_token } = await kept();
    await spoil();
    const ends = await Promise.all([1, 2, 3].map(() => runCli(["list"], environment())));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const renewed = await kept();
    expect(renewed.refresh_token).not.toBe(refresh_token);
    expect(Date.parse(renewed.expires_at)).toBeGreaterThan(Date.now());
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  test("is renewed when the service refuses it ahead of its time", async () => {
    await logIn("alice");
    await spoil({ access_token: "refused" });
    expect((await cli("list")).code).toBe(0);
    expect((await kept()).access_token).not.toBe("refused");
  });

  test("that cannot be renewed ends with 3 and says what to do; with the provider away, with 4", async () => {
    await logIn("alice");
    await spoil({ expires_at: "2026-01-01T00:00:00.000Z", refresh_token: "never given" });
    expect(await cli("list")).toEqual({
      code: 3,
      out: "",
      error: "Your sign-in has ended: sign in again with `task-service login`.\n",
    });
    await spoil({ expires_at: "2026-01-01T00:00:00.000Z", issuer: "http://127.0.0.1:9" });
    expect((await cli("list")).code).toBe(4);
  });

  test("goes to no other service", async () => {
    await logIn("alice");
    const elsewhere = { ...environment(), TASK_SERVICE_URL: "http://127.0.0.1:9/api" };
    expect(await callCli(["list"], elsewhere)).toMatchObject({
      code: 3,
      error: expect.stringContaining("127.0.0.1:9"),
    });
  });
});

test("logout forgets the tokens and has them revoked", async () => {
  await logIn("alice");
  const before = await kept();
  expect(await cli("logout")).toEqual({ code: 0, out: `Signed out of ${app.baseUrl}.\n`, error: "" });
  expect(await logins()).toEqual({ current: null, logins: {} });
  expect((await cli("list")).code).toBe(3);
  const response = await fetch(`${inject("issuer")}/token`, {
    method: "POST",
    headers: { connection: "close" },
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: before.refresh_token ?? "",
      client_id: "task-service-cli",
    }),
  });
  expect(response.status).toBe(400);
});
