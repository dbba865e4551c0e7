// Tokens from an identity provider: how they are asked for, kept for the workers, and renewed.
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFakeIdentityProvider } from "../test/fake-identity-provider.ts";
import { type Credentials, CredentialsError } from "./credentials.ts";
import { createGrantedCredentials } from "./granted-credentials.ts";
import type { ClientSettings } from "./token-grant.ts";

let provider: Awaited<ReturnType<typeof createFakeIdentityProvider>>;
let credentials: Credentials;

const open = async (changes: object = {}) => {
  credentials = await createGrantedCredentials({ ...provider.settings, ...changes });
  return credentials;
};

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

beforeEach(async () => {
  provider = await createFakeIdentityProvider();
});

afterEach(async () => {
  await credentials.close();
  await provider.close();
});

test("one token serves all who ask, and only this user can read it in its file", async () => {
  const { token, tokenFile } = await open({ scope: "tasks", resource: "urn:tasks" });
  expect(await Promise.all([token(), token()])).toEqual(["token-1", "token-1"]);
  expect(await token()).toBe("token-1");
  expect(provider.requests.map(({ form }) => form)).toEqual([
    { grant_type: "client_credentials", scope: "tasks", resource: "urn:tasks" },
  ]);
  expect(await readFile(tokenFile, "utf8")).toBe("token-1");
  expect([await modeOf(tokenFile), await modeOf(dirname(tokenFile))]).toEqual(["600", "700"]);
});

test("a token is renewed ahead of its end without being asked for, the file too", async () => {
  provider.control.expiresInSeconds = 0.3;
  const { token, tokenFile } = await open();
  const startedMs = performance.now();
  await token();
  provider.control.expiresInSeconds = 300;
  await vi.waitFor(async () => expect(await readFile(tokenFile, "utf8")).toBe("token-2"), { interval: 5 });
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(200);
  expect(await token()).toBe("token-2");
  expect(await modeOf(tokenFile)).toBe("600");
});

test("an identity provider that is away does not stop a token that is still good", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const request = vi.fn((_: ClientSettings) => Promise.resolve({ token: "token-1", lifeMs: 300_000 }));
  credentials = await createGrantedCredentials(provider.settings, request);
  const { token } = credentials;
  await token();
  request.mockRejectedValue(new CredentialsError("away"));
  await vi.advanceTimersByTimeAsync(200_000);
  expect(request).toHaveBeenCalledTimes(2);
  expect(await token()).toBe("token-1");
  await vi.advanceTimersByTimeAsync(100_000);
  await expect(token()).rejects.toThrow("away");
  request.mockResolvedValue({ token: "token-2", lifeMs: 300_000 });
  expect(await token()).toBe("token-2");
});

test("a refused token is renewed once for all whom it was refused", async () => {
  const { token, renew } = await open();
  const refused = await token();
  expect(await Promise.all([renew(refused), renew(refused)])).toEqual(["token-2", "token-2"]);
  expect(await renew(refused)).toBe("token-2");
  expect(provider.requests).toHaveLength(2);
});

test("a life the provider does not tell is taken as five minutes", async () => {
  provider.control.expiresInSeconds = undefined;
  const { token } = await open();
  await token();
  expect(await token()).toBe("token-1");
});

test("errors name what is wrong and never the secret", async () => {
  const { token } = await open({ clientSecret: "wrong-secret" });
  const error = await token().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CredentialsError);
  expect(String(error)).toContain("answered 401: invalid_client");
  expect(String(error)).not.toContain("wrong-secret");
});

test("identifiers and secrets are form-encoded before they go into HTTP Basic", async () => {
  const { token } = await open({ clientId: "a:b", clientSecret: "c d&ü" });
  await expect(token()).rejects.toThrow(CredentialsError);
  const sent = provider.requests[0]?.authorization?.replace("Basic ", "") ?? "";
  expect(atob(sent)).toBe("a%3Ab:c%20d%26%C3%BC");
});

test("close ends a request that the identity provider does not answer", async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  credentials = await createGrantedCredentials(provider.settings, (_, signal) => {
    asked.resolve(signal);
    return once(signal, "abort").then(() => Promise.reject(new CredentialsError("closed")));
  });
  const token = expect(credentials.token()).rejects.toThrow("closed");
  await asked.promise;
  await credentials.close();
  await token;
});

test("close removes the file", async () => {
  const { token, tokenFile, close } = await open();
  await token();
  await close();
  await expect(stat(dirname(tokenFile))).rejects.toThrow("ENOENT");
});
