// Settings: all problems at once, secrets from files, no development value in production (D-36).
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const complete = {
  DATABASE_URL: "postgres://db/task_service",
  OIDC_ISSUER: "https://id.example",
  OIDC_AUDIENCE: "task-service",
  OIDC_GROUP: "task-service",
  GIT_URL: "https://git.example/",
  GIT_READ_TOKEN: "read-token",
  SIGNING_SECRET: "0123456789abcdef01234567",
};

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("readConfig", () => {
  test("needs seven settings and has a default for the rest", () => {
    expect(readConfig(complete)).toMatchObject({
      host: "0.0.0.0",
      port: 8081,
      oidc: { groupsClaim: "groups", isCachingTokens: true },
      git: { url: "https://git.example", apiUrl: "https://git.example/api/v1" },
      maxLostDispatches: 5,
      eventRetentionDays: 365,
      maxTaskDepth: 32,
      maxTasksPerRoot: 1000,
      rateLimitPerMinute: 60_000,
    });
  });

  test("names everything that is missing at once", () => {
    expect(problemsOf({})).toEqual([
      "GIT_URL is missing",
      "DATABASE_URL is missing",
      "OIDC_ISSUER is missing",
      "OIDC_AUDIENCE is missing",
      "OIDC_GROUP is missing",
      "GIT_READ_TOKEN is missing",
      "SIGNING_SECRET is missing",
    ]);
  });

  test.each([
    ["PORT", "80a", "PORT must be an integer from 0 to 65535"],
    ["PORT", "70000", "PORT must be an integer from 0 to 65535"],
    ["GIT_URL", "git.example", "GIT_URL must be a URL that begins with https:// or http://"],
    ["DATABASE_URL", "mysql://db", "DATABASE_URL must be a URL that begins with postgres:// or postgresql://"],
    ["MAX_TASK_DEPTH", "-1", "MAX_TASK_DEPTH must be an integer from 0 to 10000"],
    ["MAX_TASKS_PER_ROOT", "0", "MAX_TASKS_PER_ROOT must be an integer from 1 to 1000000"],
    ["EVENT_RETENTION_DAYS", "0", "EVENT_RETENTION_DAYS must be an integer from 1 to 36500"],
    ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent"],
    ["SIGNING_SECRET", "short", "SIGNING_SECRET must have at least 24 bytes"],
    ["SIGNING_SECRET", "development-signing-secret", "SIGNING_SECRET is a published development value"],
    ["OIDC_ISSUER", "http://id.example", "OIDC_ISSUER must begin with https://"],
    ["OIDC_GROUP", "", "OIDC_GROUP is missing"],
    ["GIT_READ_TOKEN_FILE", "/nowhere", "GIT_READ_TOKEN_FILE names a file that cannot be read"],
  ])("refuses %s=%s", (name, value, problem) => {
    expect(problemsOf({ ...complete, [name]: value })).toEqual([problem]);
  });

  test("reads a secret from a file", () => {
    const file = join(mkdtempSync(join(tmpdir(), "config-")), "secret");
    writeFileSync(file, "from-a-file-with-a-newline\n");
    const { GIT_READ_TOKEN: _, ...others } = complete;
    expect(readConfig({ ...others, GIT_READ_TOKEN_FILE: file }).git.readToken).toBe("from-a-file-with-a-newline");
  });

  test("takes development values only when told so, and then listens on loopback", () => {
    const development = {
      ...complete,
      OIDC_ISSUER: "http://localhost:8083",
      SIGNING_SECRET: "development-signing-secret",
    };
    expect(readConfig({ ...development, INSECURE_DEVELOPMENT: "true" }).host).toBe("127.0.0.1");
  });

  test("tells no secret in its problems", () => {
    expect(problemsOf({ ...complete, SIGNING_SECRET: "hunter2" }).join()).not.toContain("hunter2");
  });
});
