// What the environment of `npm start` says goes to the units, and what of it does not (D-36, D-37).
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDevSettings, root, settingFrom, unitEnvironments } from "./dev-settings.ts";

const environmentsOf = (env: NodeJS.ProcessEnv) => unitEnvironments(readDevSettings([], env), env);

test("Without a word everything has its place", () => {
  const settings = readDevSettings([], {});
  expect(settings).toMatchObject({ isBare: false, isReset: false, host: "127.0.0.1" });
  expect(settings.dataDir).toBe(join(root, ".data"));
  expect(Object.values(settings.ports)).toEqual([8080, 8081, 8082, 8083, 8084, 8085]);
  const { api, ui, executor } = environmentsOf({});
  expect(api).toMatchObject({ PORT: "8081", OIDC_GROUP: "task-service", GIT_URL: "http://localhost:8084" });
  expect(ui).toMatchObject({ PORT: "8082", OIDC_ISSUER: "http://localhost:8083", OIDC_CLIENT_ID: "task-service-ui" });
  expect(executor).toMatchObject({ OIDC_CLIENT_ID: "executor", TASK_SERVICE_URL: "http://127.0.0.1:8080/api" });
});

test("Flags, DEV_PORT and the folders are followed", () => {
  const env = { DEV_PORT: "9000", DATA_DIR: "/data", REPOS_DIR: "repos" };
  const settings = readDevSettings(["--bare", "--reset"], env);
  expect(settings).toMatchObject({ isBare: true, isReset: true, dataDir: "/data", reposDir: join(root, "repos") });
  expect(settings.ports).toMatchObject({ entryPoint: 9000, postgres: 9005 });
});

test.each([
  [["--fast"], {}, "--fast"],
  [[], { DEV_PORT: "http" }, "DEV_PORT"],
  [[], { DEV_PORT: "65531" }, "DEV_PORT"],
])("%j with %j is refused", (args, env, name) => {
  expect(() => readDevSettings(args, env)).toThrow(name);
});

test("A setting of the environment wins, HOST and PORT of the shell do not", () => {
  const { api, ui } = environmentsOf({ HOST: "0.0.0.0", PORT: "3000", OIDC_GROUP: "staff", LOG_LEVEL: "debug" });
  expect(api).toMatchObject({ HOST: "127.0.0.1", PORT: "8081", OIDC_GROUP: "staff", LOG_LEVEL: "debug" });
  expect(ui).toMatchObject({ HOST: "127.0.0.1", PORT: "8082", LOG_LEVEL: "debug" });
});

test("A secret in a file keeps the default away, and its content is in force", async () => {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  const file = join(folder, "secret");
  await writeFile(file, "from the file\n");
  const { api } = environmentsOf({ SIGNING_SECRET_FILE: file });
  expect(api).not.toHaveProperty("SIGNING_SECRET");
  expect(settingFrom(api, "SIGNING_SECRET")).toBe("from the file");
  await rm(folder, { recursive: true });
});

test("A client id alone is the UI's, with a secret the executor's", () => {
  expect(environmentsOf({ OIDC_CLIENT_ID: "spa" }).executor).toMatchObject({ OIDC_CLIENT_ID: "executor" });
  const pair = { OIDC_CLIENT_ID: "machine", OIDC_CLIENT_SECRET: "secret" };
  expect(environmentsOf(pair).executor).toMatchObject(pair);
});
