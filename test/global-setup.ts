// Starts what the server tests share: PostgreSQL with a template database, the identity provider, the git host.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../apps/api/src/platform/database.ts";
import { migrate } from "../apps/api/src/platform/migrate.ts";
import { startPostgres } from "../dev/embedded-postgres.ts";
import { startGitHost } from "../dev/git-host.ts";
import { startIdentityProvider } from "../dev/identity-provider.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server's `postgres` database, as superuser. */
    postgresUrl: string;
    /** Migrated; nobody may connect to it, so it can be cloned at any time. */
    templateDatabase: string;
    issuer: string;
    gitUrl: string;
    gitReadToken: string;
    /** Where a test puts `<owner>/<repo>/…` for the git host to serve. */
    reposDir: string;
  }
}

const templateDatabase = "task_service_template";
const gitReadToken = "test-read-token";
const host = "127.0.0.1";

const makeTemplate = async (postgresUrl: string): Promise<void> => {
  const server = openDatabase(postgresUrl);
  await server.background`create database ${server.background(templateDatabase)}`;
  const template = openDatabase(Object.assign(new URL(postgresUrl), { pathname: `/${templateDatabase}` }).href);
  await migrate(template.background);
  await template.close();
  await server.background`alter database ${server.background(templateDatabase)} is_template true allow_connections false`;
  await server.close();
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), "task-service-test-"));
  const reposDir = await mkdtemp(join(tmpdir(), "task-service-repos-"));
  const [postgres, identityProvider, gitHost] = await Promise.all([
    startPostgres({ dataDir: join(folder, "postgres"), port: 0, isTest: true, settings: { max_connections: "300" } }),
    startIdentityProvider({ host, port: 0, dataDir: join(folder, "identity"), redirectOrigins: ["http://localhost"] }),
    startGitHost({ host, port: 0, reposDir, readToken: gitReadToken, switches: true }),
  ]);
  await makeTemplate(postgres.url);

  project.provide("postgresUrl", postgres.url);
  project.provide("templateDatabase", templateDatabase);
  project.provide("issuer", identityProvider.issuer);
  project.provide("gitUrl", gitHost.url);
  project.provide("gitReadToken", gitReadToken);
  project.provide("reposDir", reposDir);

  return async () => {
    await Promise.all([postgres.stop(), identityProvider.stop(), gitHost.stop()]);
    await Promise.all([folder, reposDir].map((path) => rm(path, { recursive: true, force: true })));
  };
};
