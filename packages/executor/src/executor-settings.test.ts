// Settings from the environment: complete, or refused with every problem at once.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readExecutorSettings, SettingsError } from "./executor-settings.ts";

const service = { TASK_SERVICE_URL: "https://tasks.example/api/" };
const client = { OIDC_ISSUER: "https://id.example/", OIDC_CLIENT_ID: "executor" };

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readExecutorSettings(environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : expect.fail(String(error));
  }
};

test("a token file is enough and wins over a client", () => {
  expect(readExecutorSettings({ ...service, ...client, TASK_SERVICE_TOKEN_FILE: "/run/token" })).toEqual({
    serviceUrl: "https://tasks.example/api",
    credentials: { tokenFile: "/run/token" },
  });
});

test("a client's secret may come from a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "secret");
  await writeFile(file, "from-a-file\n");
  const settings = { ...service, ...client, OIDC_CLIENT_SECRET_FILE: file, OIDC_SCOPE: "tasks" };
  expect(readExecutorSettings(settings).credentials).toEqual({
    issuer: "https://id.example",
    clientId: "executor",
    clientSecret: "from-a-file",
    scope: "tasks",
  });
  expect(problemsOf({ ...settings, OIDC_CLIENT_SECRET: "x" })).toEqual([
    "OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set",
  ]);
});

test("all problems are told at once", () => {
  expect(problemsOf({})).toEqual([
    "TASK_SERVICE_URL is not set",
    "OIDC_ISSUER is not set",
    "OIDC_CLIENT_ID is not set",
    "OIDC_CLIENT_SECRET is not set",
  ]);
  expect(problemsOf({ ...client, TASK_SERVICE_URL: "tasks", OIDC_CLIENT_SECRET_FILE: "/none" })).toEqual([
    "TASK_SERVICE_URL is not an http or https address: tasks",
    expect.stringContaining("OIDC_CLIENT_SECRET_FILE cannot be read: ENOENT"),
  ]);
});
