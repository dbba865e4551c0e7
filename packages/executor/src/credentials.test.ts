// A token file that somebody else renews, and requests that survive a refused token.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, ProblemError } from "@task-service/contract";
import { expect, onTestFinished, test } from "vitest";
import { createFakeService, problem } from "../test/fake-service.ts";
import { CredentialsError, createFileCredentials } from "./credentials.ts";
import { createRenewingFetch } from "./renewing-fetch.ts";

const temporaryFile = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "token");
};

test("the token file is read again when it changes; one that is missing or empty is a clear error", async () => {
  const file = await temporaryFile();
  const { token } = createFileCredentials(file);
  await expect(token()).rejects.toThrow(CredentialsError);
  await writeFile(file, " \n");
  await expect(token()).rejects.toThrow("is empty");
  await writeFile(file, "SECRET1\nSECRET2");
  await expect(token()).rejects.toThrow(/^(?!.*SECRET).*on one line$/);
  await writeFile(file, "first\n");
  expect(await token()).toBe("first");
  await writeFile(file, "second");
  expect(await token()).toBe("second");
});

test("a refused token is renewed once and the request repeated as it was", async () => {
  const service = await createFakeService();
  onTestFinished(service.close);
  service.rules.push(({ token }) => (token === "new" ? { status: 200, body: {} } : problem("unauthenticated")));
  const renewing = createRenewingFetch({ renew: async (refused) => (refused === "old" ? "new" : refused) });
  const client = (token: string) => createClient({ baseUrl: service.url, token: () => token, fetch: renewing });
  const release = { params: { id: "d" }, body: { reason: "why" } };

  await client("old").releaseDispatch(release);
  expect(service.seen.map(({ token, body }) => [token, body.reason])).toEqual([
    ["old", "why"],
    ["new", "why"],
  ]);
  await expect(client("no better").releaseDispatch(release)).rejects.toThrow(ProblemError);
  expect(service.seen).toHaveLength(3);
});
